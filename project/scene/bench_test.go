package scene

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"talebinder/formats/guid"
)

// someID gives the same id for the same number, on every run.
func someID(n int) guid.Guid {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	var g guid.Guid
	for i := range g {
		g[i] = byte(r.Uint32())
	}
	return g
}

// largeScene makes a scene of that many entities as a game has them, about 600 bytes each: a third has a parent, one in ten is
// an instance with an override.
func largeScene(entities int, asset guid.Guid) string {
	var b strings.Builder
	b.WriteString("{\n  \"version\": 1,\n  \"id\": \"" + someID(-1).String() + "\",\n  \"entities\": [")
	for i := range entities {
		if i > 0 {
			b.WriteByte(',')
		}
		parent, link := "null", "null"
		if i%3 == 2 {
			parent = `"` + someID(i-2).String() + `"`
		}
		if i%10 == 9 {
			link = fmt.Sprintf(`{
        "asset": "%s",
        "overrides": [
          {
            "entity": "%s",
            "component": "Sprite",
            "path": "tint",
            "value": "#FF8000"
          }
        ],
        "removedComponents": []
      }`, asset, someID(1_000_001))
		}
		fmt.Fprintf(&b, `
    {
      "id": "%s",
      "name": "Firefly %d",
      "parent": %s,
      "active": true,
      "editor": {
        "hidden": false,
        "locked": false
      },
      "prefab": %s,
      "components": [
        {
          "type": "Transform",
          "data": {
            "position": [%d, %d.5]
          }
        },
        {
          "type": "Sprite",
          "data": {
            "texture": "%s",
            "layer": %d
          }
        }
      ]
    }`, someID(i), i, parent, link, i%5000, i/5000, someID(2_000_000+i%20), i%500)
	}
	b.WriteString("\n  ]\n}")
	return b.String()
}

// tenEntities makes a prefab of ten entities with three components each.
func tenEntities() string {
	var b strings.Builder
	b.WriteString(`{"version":1,"entities":[`)
	for i := range 10 {
		parent := "null"
		if i > 0 {
			parent = `"` + someID(1_000_000+i/2).String() + `"`
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"%s","name":"Part %d","parent":%s,"components":[{"type":"Transform","data":{"position":[%d,0]}},`+
			`{"type":"Sprite","data":{"texture":"%s","tint":"#FFFFFF","frames":[{"duration":1},{"duration":2}]}},{"type":"Light2D","data":{"radius":120}}]}`,
			someID(1_000_000+i), i, parent, i, someID(2_000_000))
	}
	b.WriteString(`]}`)
	return b.String()
}

// One scene of 100,000 entities, about 60 MB. What encoding/json needs for the same text, into structs of the same fields with the
// data kept as text, is reported as a ratio.
func BenchmarkParse(b *testing.B) {
	text := []byte(largeScene(100_000, someID(3_000_000)))
	type entity struct {
		ID, Name string
		Parent   *string
		Active   bool
		Editor   struct{ Hidden, Locked bool }
		Prefab   *struct {
			Asset     string
			Overrides []struct {
				Entity, Component, Path string
				Value                   json.RawMessage
			}
			RemovedComponents []struct{ Entity, Component string }
		}
		Components []struct {
			Type string
			Data json.RawMessage
		}
	}
	start := time.Now()
	var document struct {
		Version  int
		ID       string
		Entities []entity
	}
	if err := json.Unmarshal(text, &document); err != nil || len(document.Entities) != 100_000 {
		b.Fatal(err)
	}
	standard := time.Since(start)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	start = time.Now()
	for b.Loop() {
		d, err := Parse(Scene, "large.tscene", text)
		if err != nil || len(d.Entities) != 100_000 {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(standard)/(float64(time.Since(start))/float64(b.N)), "x-encoding/json")
}

func BenchmarkCanonical(b *testing.B) {
	d := parse(b, "large.tscene", largeScene(100_000, someID(3_000_000)))
	b.SetBytes(int64(len(d.Text())))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Canonical(); err != nil {
			b.Fatal(err)
		}
	}
}

// 20,000 instances of a prefab of ten entities, with and without overrides.
func BenchmarkExpand(b *testing.B) {
	asset := someID(3_000_000)
	prefabs := Prefabs{asset: parse(b, "ten.tprefab", tenEntities())}
	for name, overrides := range map[string]string{
		"plain":      "",
		"overridden": fmt.Sprintf(`{"entity":"%s","component":"Sprite","path":"frames.1.duration","value":3}`, someID(1_000_004)),
	} {
		var text strings.Builder
		text.WriteString(`{"entities":[`)
		for i := range 20_000 {
			if i > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, `{"id":"%s","name":"Instance","prefab":{"asset":"%s","overrides":[%s]},"components":[{"type":"Transform","data":{"position":[%d,0]}}]}`,
				someID(i), asset, overrides, i)
		}
		text.WriteString(`]}`)
		d := parse(b, "instances.tscene", text.String())
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x, err := NewExpander(prefabs, Options{}).Expand(b.Context(), d)
				if err != nil || len(x.Nodes) != 200_000 || len(x.Warnings) > 0 {
					b.Fatal(err, len(x.Nodes), x.Warnings)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/expansion")
		})
	}
}
