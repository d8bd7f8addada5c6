package ablations

import (
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"agenvantage"
)

// Verdicts is the gate's decisions with what they rest on: a file beside an index, or the one that the program ships.
type Verdicts struct {
	Format   int       `json:"format"` // verdictsFormat
	Made     string    `json:"made"`   // RFC 3339
	Run      RunInfo   `json:"run"`
	Basis    Basis     `json:"basis"`
	Verdicts []Verdict `json:"verdicts"`
	// Measured are the figures of cost that the decisions rest on.
	Measured []VerdictCost `json:"measured,omitempty"`
}

// Basis is the state that verdicts were given for. A local verdict lapses when it no longer holds.
type Basis struct {
	IndexFormat int    `json:"index_format"`
	RankingHash string `json:"ranking_hash"` // of the settings that decide rankings
	Model       string `json:"model"`        // of embeddings, "" for none
	Files       Prints `json:"files"`        // of the indexed files; empty in shipped verdicts
}

// Prints is a sorted set of 64-bit prints of files, each of path and content. Its JSON is base64 of little-endian values.
type Prints []uint64

// MarshalJSON encodes the set as one string.
func (p Prints) MarshalJSON() ([]byte, error) {
	data := make([]byte, 0, 8*len(p))
	for _, v := range p {
		data = binary.LittleEndian.AppendUint64(data, v)
	}
	return json.Marshal(base64.StdEncoding.EncodeToString(data))
}

// UnmarshalJSON decodes the string.
func (p *Prints) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil || len(data)%8 != 0 {
		return errors.New("prints of files: want base64 of 64-bit values")
	}
	*p = make(Prints, 0, len(data)/8)
	for ; len(data) > 0; data = data[8:] {
		*p = append(*p, binary.LittleEndian.Uint64(data))
	}
	return nil
}

// changed is the share of files, of the larger set, that are not in both.
func (p Prints) changed(now Prints) float64 {
	both, i, j := 0, 0, 0
	for i < len(p) && j < len(now) {
		switch cmp.Compare(p[i], now[j]) {
		case 0:
			both, i, j = both+1, i+1, j+1
		case -1:
			i++
		default:
			j++
		}
	}
	all := max(len(p), len(now))
	if all == 0 {
		return 0
	}
	return float64(all-both) / float64(all)
}

const (
	verdictsFormat = 1
	// lapseShare is the share of changed files from which a local verdict no longer speaks for the repository.
	lapseShare = 0.2
)

// NewVerdicts are the decisions of a report, for the state that basis describes.
func NewVerdicts(r Report, basis Basis, made string) Verdicts {
	return Verdicts{Format: verdictsFormat, Made: made, Run: r.Run, Basis: basis, Verdicts: r.Verdicts, Measured: r.Measured.Verdicts}
}

//go:embed results/verdicts.json
var shipped []byte

// Shipped are the verdicts that hold where a repository has none of its own. They rest on the runs in ablations/results.
func Shipped() (Verdicts, error) { return decodeVerdicts(shipped, "ablations/results/verdicts.json") }

// ReadVerdicts reads the verdicts beside an index. A missing file is fs.ErrNotExist; one that cannot be read is
// agenvantage.ErrBadInput.
func ReadVerdicts(file string) (Verdicts, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Verdicts{}, fs.ErrNotExist
	}
	if err != nil {
		return Verdicts{}, fmt.Errorf("read verdicts: %w", err)
	}
	return decodeVerdicts(text, file)
}

func decodeVerdicts(text []byte, file string) (Verdicts, error) {
	var v Verdicts
	if err := json.Unmarshal(text, &v); err != nil {
		return Verdicts{}, fmt.Errorf("%w: %s: %v", agenvantage.ErrBadInput, file, err)
	}
	if v.Format != verdictsFormat {
		return Verdicts{}, fmt.Errorf("%w: %s has format %d, this version reads %d", agenvantage.ErrBadInput, file, v.Format, verdictsFormat)
	}
	return v, nil
}

// Encode is the JSON of v as its file holds it.
func (v Verdicts) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode verdicts: %w", err)
	}
	return append(text, '\n'), nil
}

// Write replaces the file.
func (v Verdicts) Write(file string) error {
	text, err := v.Encode()
	if err != nil {
		return err
	}
	return WriteFile(file, text)
}

// Lapsed says why verdicts for another state do not hold for now, "" when they do.
func (v Verdicts) Lapsed(now Basis) string {
	switch {
	case v.Basis.IndexFormat != now.IndexFormat:
		return fmt.Sprintf("the index format was %d and is %d", v.Basis.IndexFormat, now.IndexFormat)
	case v.Basis.Model != now.Model:
		return fmt.Sprintf("the model was %q and is %q", v.Basis.Model, now.Model)
	case v.Basis.RankingHash != now.RankingHash:
		return "settings that decide rankings have changed"
	}
	if share := v.Basis.Files.changed(now.Files); share >= lapseShare {
		return fmt.Sprintf("%.0f%% of the files have changed", 100*share)
	}
	return ""
}

// Find is the verdict on a channel for a class; ok is false when there is none.
func (v Verdicts) Find(channel string, class Class) (verdict Verdict, ok bool) {
	i := slices.IndexFunc(v.Verdicts, func(w Verdict) bool { return w.Channel == channel && w.Class == class })
	if i < 0 {
		return Verdict{}, false
	}
	return v.Verdicts[i], true
}

// Policy says which channels are on for a class, by the verdicts that hold.
type Policy struct {
	Shipped Verdicts
	Local   *Verdicts // nil without one
	Lapsed  string    // why Local does not hold, "" when it does
	Model   string    // of embeddings that is in force, "" for none
}

// NewPolicy weighs local verdicts, which may be nil, against the state now.
func NewPolicy(shipped Verdicts, local *Verdicts, now Basis) Policy {
	p := Policy{Shipped: shipped, Local: local, Model: now.Model}
	if local != nil {
		p.Lapsed = local.Lapsed(now)
	}
	return p
}

// Ruling is what a policy says of a channel for a class.
type Ruling struct {
	On       bool
	Decision Decision
	Source   string // "shipped", "local", "" when no verdict speaks of the channel
	Why      string // one sentence
}

// Rule decides. Deterministic channels are always on; every other one is on with a promote only. A local promote or keep
// off wins over a shipped verdict while it holds; a local lack of evidence says nothing against evidence from elsewhere.
func (p Policy) Rule(channel string, class Class) Ruling {
	if slices.Contains(Deterministic(), channel) {
		return Ruling{On: true, Decision: AlwaysOn, Why: "always on"}
	}
	aside := "" // why the local verdict does not decide
	if p.Local != nil && p.Lapsed == "" {
		v, ok := p.Local.Find(channel, class)
		_, elsewhere := p.shippedFor(channel, class)
		if ok && (v.Decision == Promote || v.Decision == KeepOff || !elsewhere) {
			return ruling(v, "local")
		}
		if ok {
			aside = fmt.Sprintf("; the local verdict on %d tasks lacks evidence: %s", v.Tasks, v.Rule)
		}
	}
	if p.Lapsed != "" {
		aside = "; the local verdict lapsed: " + p.Lapsed
	}
	v, ok := p.shippedFor(channel, class)
	if ok {
		r := ruling(v, "shipped")
		r.Why += aside
		return r
	}
	if v.Model != "" {
		return Ruling{Decision: Insufficient, Why: "no verdict: it was measured with the model " + v.Model + " only" + aside}
	}
	return Ruling{Decision: Insufficient, Why: "no verdict: it was not measured" + aside}
}

// shippedFor is the shipped verdict on a channel for a class. ok is false where there is none, and where it speaks of another model.
func (p Policy) shippedFor(channel string, class Class) (v Verdict, ok bool) {
	v, ok = p.Shipped.Find(channel, class)
	return v, ok && (v.Model == "" || v.Model == p.Model)
}

func ruling(v Verdict, source string) Ruling {
	return Ruling{On: v.Decision == Promote, Decision: v.Decision, Source: source,
		Why: fmt.Sprintf("%s (%s verdict on %d tasks: %s)", v.Decision, source, v.Tasks, v.Rule)}
}
