package packer

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestArguments(t *testing.T) {
	own := []Option{{Name: "--dry-run"}, {Name: "--side", Value: true, Check: func(v string) error {
		if v != "a" {
			return errors.New("expected a")
		}
		return nil
	}}}
	tests := []struct {
		name string
		args []string
		want Args
	}{
		{"none", nil, Args{}},
		{"source and target", []string{"a", "b"}, Args{Positional: []string{"a", "b"}}},
		{"options anywhere", []string{"--all-videos", "a", "--target=ps2", "b", "--skip-non-episode-levels", "--dry-run"},
			Args{Positional: []string{"a", "b"}, Options: Options{AllVideos: true, Profile: "ps2", SkipNonEpisodeLevels: true}, own: map[string]string{"--dry-run": ""}}},
		{"values", []string{"--source=s=1", "--content=c", "--n64-tools=", "--video-downscale=4", "--side=a"},
			Args{Options: Options{Source: "s=1", Content: "c", VideoDownscale: 4}, own: map[string]string{"--side": "a"}}},
		{"shareware is original", []string{"--shareware-only"}, Args{Options: Options{OriginalsOnly: true, SharewareOnly: true}}},
		{"the last one counts", []string{"--target=web", "--target=desktop", "--originals-only"}, Args{Options: Options{Profile: "desktop", OriginalsOnly: true}}},
		{"an empty argument takes its place", []string{"", "b"}, Args{Positional: []string{"", "b"}}},
		{"one dash is a file", []string{"-x"}, Args{Positional: []string{"-x"}}},
		{"help comes before mistakes", []string{"a", "b", "c", "--unknown", "-h"}, Args{Help: true}},
		{"long help", []string{"--help"}, Args{Help: true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Read(test.args, own...)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.own) == 0 {
				got.own = nil
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("read %+v, want %+v", got, test.want)
			}
		})
	}
	a, err := Read([]string{"a", "--side=a"}, own...)
	if err != nil || a.Source() != "a" || a.Target() != "" || !a.Has("--side") || a.Value("--side") != "a" || a.Has("--dry-run") {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestMistakes(t *testing.T) {
	own := []Option{{Name: "--dry-run"}, {Name: "--side", Value: true, Check: func(string) error { return errors.New("no good") }}}
	tests := []struct{ argument, reason string }{
		{"third", "there is a source and a target already"},
		{"--unknown", "there is no such option"},
		{"--unknown=1", "there is no such option"},
		{"--", "there is no such option"},
		{"--all-videos=1", "there is no such option"},
		{"--dry-run=1", "there is no such option"},
		{"--side", "there is no such option"},
		{"--side=b", "no good"},
		{"--target", "its value is missing, write --target=VALUE"},
		{"--target=", "there is no such target, expected desktop, console,"},
		{"--target=PS2", "there is no such target"},
		{"--video-downscale=0", "expected a number from 1 to 4"},
		{"--video-downscale=5", "expected a number from 1 to 4"},
		{"--video-downscale=x", "expected a number from 1 to 4"},
	}
	for _, test := range tests {
		t.Run(test.argument, func(t *testing.T) {
			_, err := Read([]string{"a", "b", test.argument}, own...)
			var mistake *ArgumentError
			if !errors.As(err, &mistake) || mistake.Argument != test.argument || !strings.HasPrefix(mistake.Reason, test.reason) {
				t.Errorf("the error is %v, want %s", err, test.reason)
			}
		})
	}
}

func TestProfilesAreACopy(t *testing.T) {
	p := Profiles()
	p[0] = "x"
	if slices.Contains(Profiles(), "x") {
		t.Error("the profiles can be changed")
	}
}
