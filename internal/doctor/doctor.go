// Package doctor checks what agenvantage needs on a machine and in a repository, and says for each fault what mends it. It
// owns the list of checks and their limits; it changes nothing, and reads the index through what it is given. Read doctor.go
// first; machine.go holds the checks of the machine, address.go that of a running server, repository.go those of the index.
package doctor

import (
	"context"

	"agenvantage/internal/app"
	"agenvantage/internal/setup"
)

// State is how a check ended. The set is closed.
type State string

// The states.
const (
	StateOK      State = "ok"
	StateOff     State = "off"     // not in use, or cannot be told here; nothing is wrong
	StateHint    State = "hint"    // nothing is wrong: Fix says what would be better, or what happens by itself with the next question
	StateFix     State = "fix"     // Fix says what to do
	StateUnknown State = "unknown" // could not be checked, because of what another check found
)

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // a command or a step, where State is fix or hint
}

// Diagnosis is the contract of `doctor --json`. Checks are in a fixed order.
type Diagnosis struct {
	OK     bool    `json:"ok"` // nothing is to be fixed
	Checks []Check `json:"checks"`
}

// Repository is what doctor asks of an opened repository; *app.App is one.
type Repository interface {
	Status(ctx context.Context) (app.Status, error)
	Files(ctx context.Context) ([]app.FileStatus, error)
}

// Input is what is checked.
type Input struct {
	Machine     setup.Machine
	Binary      string // absolute path of this program
	IndexDir    string // "" when it is not known
	Embedder    string // provider of embeddings as configured
	Vectors     app.EmbedderState
	EmbedderFix func(fault error) string        // what mends a fault of the embedder
	VectorFault func(ctx context.Context) error // reads the stored vectors of the repository; nil where none is opened

	ConfigError error      // why the configuration cannot be used
	OpenError   error      // why the repository cannot be opened
	Repository  Repository // nil when one of the two is set
}

// Run runs every check. Its error is ctx's.
func Run(ctx context.Context, in Input) (Diagnosis, error) {
	r := Diagnosis{OK: true}
	r.add(checkGit(ctx), checkConfig(in))
	repository, folders := in.checkRepository(ctx)
	r.add(repository...)
	r.add(in.checkFolder(), in.checkDisk(), in.checkEmbedder(ctx), in.checkWatching(folders))
	r.add(checkClients(ctx, setup.Detect(in.Machine), in.Binary)...)
	return r, ctx.Err()
}

func (r *Diagnosis) add(checks ...Check) {
	for _, c := range checks {
		r.Checks = append(r.Checks, c)
		r.OK = r.OK && c.State != StateFix
	}
}

func ok(name, detail string) Check  { return Check{Name: name, State: StateOK, Detail: detail} }
func off(name, detail string) Check { return Check{Name: name, State: StateOff, Detail: detail} }
func unknown(name, detail string) Check {
	return Check{Name: name, State: StateUnknown, Detail: detail}
}
func hint(name, detail, do string) Check {
	return Check{Name: name, State: StateHint, Detail: detail, Fix: do}
}
func fix(name, detail, do string) Check {
	return Check{Name: name, State: StateFix, Detail: detail, Fix: do}
}
