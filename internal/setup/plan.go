package setup

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
)

// StepPart is which of a client's two files a step is about. The set is closed.
type StepPart string

// The parts.
const (
	StepServer       StepPart = "mcp"
	StepInstructions StepPart = "instructions"
)

// Action is what a step does to its file. The set is closed.
type Action string

// The actions.
const (
	ActionCreate    Action = "create"    // the file is not there yet
	ActionChange    Action = "change"    // our entry or block is entered or brought up to date
	ActionUnchanged Action = "unchanged" // there is nothing to do
	ActionRemove    Action = "remove"    // our entry or block is taken out
	ActionRestore   Action = "restore"   // the file becomes what it was before, byte for byte
	ActionDelete    Action = "delete"    // the file was made by us, and nothing else is in it
	ActionKeep      Action = "keep"      // it is left alone; Note says for whom or why
	ActionNone      Action = "none"      // the client has no such file; Note says so
)

// Step is what happens to one file for one client.
type Step struct {
	Client string   `json:"client"`
	Part   StepPart `json:"part"`
	Path   string   `json:"path"` // links resolved; "" for none
	Action Action   `json:"action"`
	Backup string   `json:"backup"` // the copy that is made of what the file was, "" for none
	Note   string   `json:"note,omitempty"`
	Before []byte   `json:"-"`
	After  []byte   `json:"-"`
}

// Plan is what Make found to do. Nothing is written before Apply.
type Plan struct {
	Steps []Step
	files []*target // in the order of the steps that first touch them
}

// Make plans the steps for the clients, in their order. A file that does not parse, that is reached through a link out of its
// folder, or that is no regular file is an error wrapping agenvantage.ErrBadInput which names it, and then nothing is done.
func Make(m Machine, chosen []*Client, o Options) (*Plan, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	p := &Plan{}
	for _, c := range chosen {
		if err := p.server(m, c, o); err != nil {
			return nil, fmt.Errorf("set up %s: %w", c.ID, err)
		}
		if err := p.instructions(m, c, chosen, o); err != nil {
			return nil, fmt.Errorf("set up %s: %w", c.ID, err)
		}
	}
	return p, nil
}

// server plans the entry among the servers.
func (p *Plan) server(m Machine, c *Client, o Options) error {
	at := c.config(m, c.configScope(o.Scope))
	step := Step{Client: c.ID, Part: StepServer}
	if at.path == "" {
		return p.nowhere(step, fmt.Sprintf("%s reads no MCP servers from the %s", c.Name, where(c.configScope(o.Scope))))
	}
	return p.edit(step, at, o, fileEdit{
		set:       func(content []byte) ([]byte, error) { return c.file.set(content, command(o.Binary)) },
		unset:     c.file.unset,
		isBlank:   c.file.isBlank,
		bringBack: c.file.bringBack,
		foreign: func(content []byte) (string, error) {
			e, err := c.file.get(content)
			if err != nil || e == nil || e.isOurs(o.Binary) {
				return "", err
			}
			return e.foreignNote(o.Remove), nil
		},
	})
}

// instructions plans the block.
func (p *Plan) instructions(m Machine, c *Client, chosen []*Client, o Options) error {
	at := c.instructions(m, instructionScope(o.Scope))
	step := Step{Client: c.ID, Part: StepInstructions}
	if at.path == "" {
		return p.nowhere(step, fmt.Sprintf("%s keeps instructions for the %s in its own settings: agenvantage setup %s --print shows the text", c.Name, where(instructionScope(o.Scope)), c.ID))
	}
	if o.Remove {
		if other := sharer(m, c, chosen, at, o.Scope); other != nil {
			step.Path, step.Action, step.Note = at.path, ActionKeep, other.Name+" uses it"
			p.Steps = append(p.Steps, step)
			return nil
		}
	}
	return p.edit(step, at, o, fileEdit{
		set:     func(content []byte) ([]byte, error) { return setBlock(content, c.preamble) },
		unset:   func(content, _ []byte) ([]byte, error) { return unsetBlock(content) },
		isBlank: func(content []byte) bool { return isBlankBlock(content, c.preamble) },
		foreign: func([]byte) (string, error) { return "", nil }, // what is between our marks is ours
	})
}

func where(s Scope) string {
	if s == ScopeUser {
		return "home folder"
	}
	return "project"
}

func (p *Plan) nowhere(step Step, note string) error {
	step.Action, step.Note = ActionNone, note
	p.Steps = append(p.Steps, step)
	return nil
}

// sharer is a client that is not taken out, is set up, and reads the same instructions.
func sharer(m Machine, c *Client, chosen []*Client, at place, s Scope) *Client {
	path, err := resolve(at)
	if err != nil {
		return nil // edit says it
	}
	for _, other := range clients {
		if other == c || slices.Contains(chosen, other) {
			continue
		}
		theirs := other.instructions(m, instructionScope(s))
		if theirs.path == "" {
			continue
		}
		if p, err := resolve(theirs); err != nil || p != path {
			continue
		}
		for _, scope := range []Scope{ScopeProject, ScopeUser} {
			if found, err := other.read(m, scope); err == nil && found != nil {
				return other
			}
		}
	}
	return nil
}

// read is the client's entry, nil when there is none.
func (c *Client) read(m Machine, s Scope) (*entry, error) {
	at := c.config(m, s)
	if at.path == "" {
		return nil, nil
	}
	path, err := resolve(at)
	if err != nil {
		return nil, err
	}
	f, err := load(path)
	if err != nil {
		return nil, err
	}
	return c.file.get(f.content)
}

// fileEdit is how one kind of file is changed.
type fileEdit struct {
	set       func(content []byte) ([]byte, error)
	unset     func(content, original []byte) ([]byte, error)
	bringBack func(content, original []byte) ([]byte, error) // nil where nothing is foreign
	isBlank   func(content []byte) bool
	// foreign says what stands in our place that we did not write, "" for nothing.
	foreign func(content []byte) (string, error)
}

// edit plans one step over the state that the steps before it leave.
func (p *Plan) edit(step Step, at place, o Options, e fileEdit) error {
	path, err := resolve(at)
	if err != nil {
		return err
	}
	f, err := p.target(path, at)
	if err != nil {
		return err
	}
	step.Path, step.Before = path, f.now
	if o.Remove {
		err = f.takeOut(&step, e, o.Force)
	} else {
		err = f.enter(&step, e, o.Force)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	step.After = f.now
	p.Steps = append(p.Steps, step)
	return nil
}

// target is the planned state of a file.
func (p *Plan) target(path string, at place) (*target, error) {
	if i := slices.IndexFunc(p.files, func(f *target) bool { return f.path == path }); i >= 0 {
		return p.files[i], nil
	}
	state, err := load(path)
	if err != nil {
		return nil, err
	}
	f := &target{path: path, base: at.base, linked: path != filepath.Clean(at.path), was: state, now: state.content, exists: state.exists}
	if f.backupPath, f.backup, f.copyPath, err = backups(path); err != nil {
		return nil, err
	}
	p.files = append(p.files, f)
	return f, nil
}

// target is a file with what becomes of it.
type target struct {
	path, base string
	linked     bool // it is reached through a link
	was        fileState
	backupPath string // of the last backup, "" for none
	backup     fileState
	copyPath   string // where another backup would lie
	now        []byte // planned
	exists     bool   // planned
	keepCopy   bool   // was becomes a backup
	dropBackup bool
}

func (f *target) enter(step *Step, e fileEdit, force bool) error {
	foreign, err := e.foreign(f.now)
	if err != nil {
		return err
	}
	after, err := e.set(f.now)
	switch {
	case foreign != "" && !force && (err != nil || !bytes.Equal(after, f.now)):
		step.Action, step.Note = ActionKeep, foreign
		return nil
	case err != nil:
		return err
	case f.exists && bytes.Equal(after, f.now):
		step.Action = ActionUnchanged
		return nil
	case !f.exists:
		step.Action = ActionCreate
	default:
		step.Action = ActionChange
	}
	without, err := e.unset(f.now, f.backup.content)
	if err != nil {
		return err
	}
	_, forced := f.beforeForce(e) // its backup is what stood there before an earlier --force
	f.copyFor(step, foreign != "" && !forced || f.wantsCopy(without, e))
	f.now, f.exists = after, true
	return nil
}

// copyFor plans a backup of what the file is, unless an earlier step has touched it or the last backup is the same.
func (f *target) copyFor(step *Step, wanted bool) {
	if wanted && f.was.exists && bytes.Equal(f.now, f.was.content) && !(f.backup.exists && bytes.Equal(f.backup.content, f.now)) {
		f.keepCopy = true
		step.Backup = f.copyPath
	}
}

// wantsCopy decides about the backup: it is what the file was before our first change. A file without our part is in that state
// now, whatever backup an earlier time left; one with our part has its backup already, or was made by us, or the part was
// entered before there were backups.
func (f *target) wantsCopy(without []byte, e fileEdit) bool {
	return bytes.Equal(without, f.now) || !f.backup.exists && !e.isBlank(without)
}

func (f *target) takeOut(step *Step, e fileEdit, force bool) error {
	if !f.exists {
		step.Action = ActionUnchanged
		return nil
	}
	foreign, err := e.foreign(f.now)
	if err != nil {
		return err
	}
	before, forced := f.beforeForce(e)
	switch {
	case foreign != "" && forced:
		f.restore(step, before)
		return nil
	case foreign != "" && !force:
		step.Action, step.Note = ActionKeep, foreign
		return nil
	}
	after, err := e.unset(f.now, f.backup.content)
	if err != nil {
		return err
	}
	if bytes.Equal(after, f.now) {
		step.Action = ActionUnchanged
		return nil
	}
	step.Action = ActionRemove
	switch {
	case foreign != "":
		f.copyFor(step, true)
	case f.backup.exists:
		if after, err = f.asBefore(e, after); err != nil {
			return err
		}
		f.restore(step, after)
	case e.isBlank(after):
		step.Action, f.exists, after = ActionDelete, false, nil
	}
	f.now = after
	return nil
}

// restore plans what a file was before our part was entered: its backup, which is dropped then, or what has been changed in it since.
func (f *target) restore(step *Step, before []byte) {
	step.Action, f.now = ActionRestore, before
	if f.dropBackup = bytes.Equal(before, f.backup.content); !f.dropBackup {
		step.Action, step.Note = ActionRemove, "what it was before the first setup is still in "+filepath.Base(f.backupPath)
	}
}

// beforeForce is a file before the foreign entry that its backup has was made to start this program: the backup, or with what has been
// changed beside the entry since. What somebody had added to that entry is still in the file, so that it does not look like ours; whether
// the program lay elsewhere then makes no difference.
func (f *target) beforeForce(e fileEdit) (before []byte, ok bool) {
	if !f.backup.exists || bytes.Equal(f.now, f.backup.content) {
		return nil, false
	}
	if foreign, err := e.foreign(f.backup.content); err != nil || foreign == "" {
		return nil, false
	}
	is, err := e.set(f.now)
	if err != nil {
		return nil, false
	}
	isFrom := func(content []byte) bool {
		was, err := e.set(content)
		return err == nil && bytes.Equal(was, is)
	}
	if isFrom(f.backup.content) {
		return f.backup.content, true
	}
	before, err = e.bringBack(f.now, f.backup.content)
	return before, err == nil && !bytes.Equal(before, f.now) && isFrom(before)
}

// asBefore is the file without our part: its backup where nothing but our part differs, else what is left, with the entry that
// the backup had in the place of ours.
func (f *target) asBefore(e fileEdit, left []byte) ([]byte, error) {
	original := f.backup.content
	foreign, err := e.foreign(original)
	if err != nil {
		return left, nil // the backup is not such a file: somebody else's
	}
	before := original
	if foreign == "" {
		if before, err = e.unset(original, original); err != nil { // our entry may be in it
			return left, nil
		}
	}
	entered, err := e.set(before)
	if err == nil {
		a, errA := e.unset(entered, original)
		b, errB := e.unset(f.now, original)
		if errA == nil && errB == nil && bytes.Equal(a, b) { // another path of the program makes no difference
			return before, nil
		}
	}
	if foreign != "" {
		return e.bringBack(f.now, original)
	}
	return left, nil
}
