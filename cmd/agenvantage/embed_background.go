package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agenvantage/configs"
	"agenvantage/internal/app"
)

// embedStarted is what `embed run --background --json` prints.
type embedStarted struct {
	PID int    `json:"pid"`
	Log string `json:"log"` // what the run tells: its progress, and its summary as the last line
}

// embedBackground starts the same run in a process of its own, which outlives this one and its terminal.
func (p *program) embedBackground(cmd *cobra.Command, s embedService, r app.EmbedRequest, asJSON bool) error {
	release, err := s.EmbedStarting() // two at once would write one log
	if err != nil {
		return err
	}
	defer release()
	active, err := s.EmbedActive()
	if err != nil {
		return err
	}
	if active != "" {
		return app.EmbedBusy(active)
	}
	file, err := s.EmbedLogFile()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("write the log of a run: %w", err)
	}
	log, err := os.OpenFile(file, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write the log of a run: %w", err)
	}
	defer log.Close()
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	args, env, err := p.backgroundRun(r)
	if err != nil {
		return err
	}
	run := exec.Command(self, args...)
	run.Env, run.Stdout, run.Stderr, run.SysProcAttr = env, log, log, detached()
	if err := run.Start(); err != nil {
		return fmt.Errorf("start a run in the background: %w", err)
	}
	started := embedStarted{PID: run.Process.Pid, Log: file}
	if err := untilActive(run, s); err != nil {
		return err
	}
	if asJSON {
		return printJSON(p.stdout, started)
	}
	_, err = fmt.Fprintf(p.stdout, "process %d is embedding; agenvantage embed status says how far it is, and %s what it tells\n", started.PID, visiblePath(started.Log))
	return err
}

// backgroundRun is the arguments and the environment of a process that does what this one was asked for.
func (p *program) backgroundRun(r app.EmbedRequest) (args, env []string, err error) {
	args, env = []string{"embed", "run", "--json", "--repo", p.root}, slices.Clone(p.env)
	if r.RetryFailed {
		args = append(args, "--retry-failed")
	}
	if p.indexDir != "" {
		dir, err := filepath.Abs(p.indexDir)
		if err != nil {
			return nil, nil, fmt.Errorf("index folder %s: %w", p.indexDir, err)
		}
		args = append(args, "--index-dir", dir)
	}
	if p.logLevel != "" {
		args = append(args, "--log-level", p.logLevel)
	}
	secrets := map[string]string{} // the variables of secret keys
	for _, k := range configs.Keys() {
		if k.Secret {
			secrets[k.Name] = k.Env
		}
	}
	for _, setting := range p.settings {
		key, value, _ := strings.Cut(setting, "=")
		if variable, ok := secrets[key]; ok { // everybody may read an argument
			env = append(env, variable+"="+value)
			continue
		}
		args = append(args, "--set", setting)
	}
	return args, env, nil
}

// Times of waiting for a run to begin: a second one that is started meanwhile has to see the first.
const (
	beginEvery = 10 * time.Millisecond
	beginMost  = 10 * time.Second
)

// untilActive waits until a run that was started is active, or has ended, which its log tells of. It is nobody's child then.
func untilActive(run *exec.Cmd, s embedService) error {
	ended := make(chan struct{})
	go func() {
		_ = run.Wait()
		close(ended)
	}()
	tick, enough := time.NewTicker(beginEvery), time.After(beginMost)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return nil
		case <-enough:
			return nil
		case <-tick.C:
			if active, err := s.EmbedActive(); err != nil || active != "" {
				return err
			}
		}
	}
}
