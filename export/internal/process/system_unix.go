//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// family is a program and what it starts: here a process group of its own.
type family struct{}

// prepare makes cmd the head of a group, so that all of it ends when cmd is cancelled.
func prepare(cmd *exec.Cmd) family {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return family{}
}

func (family) started(*exec.Cmd) {}

func (family) close() {}
