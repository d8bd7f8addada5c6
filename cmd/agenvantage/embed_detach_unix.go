//go:build unix

package main

import "syscall"

// detached is a process in a session of its own: the end of the terminal does not end it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
