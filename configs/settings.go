package configs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	yaml "go.yaml.in/yaml/v3"
)

// Setting is one effective setting as `config show` prints it.
type Setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"` // text, number, true or false, a list or a map; durations as text; *** for a secret that is set
	Source Source `json:"source"`
}

// Settings lists every setting, sorted by key. Secrets are shown as ***, also a password within an address.
func (c *Config) Settings() []Setting {
	out := make([]Setting, len(table))
	for i, k := range table {
		source := c.sources[k.name]
		if source == "" {
			source = SourceDefault
		}
		out[i] = Setting{Key: k.name, Value: k.shown(c), Source: source}
	}
	return out
}

// shown is a value without secrets, ready for JSON.
func (k key) shown(c *Config) any {
	switch v := k.value(c).(type) {
	case time.Duration:
		return v.String()
	case []string:
		if v == nil {
			return []string{}
		}
		return v
	case map[string]float64:
		if v == nil {
			return map[string]float64{}
		}
		return v
	case map[string]string:
		if v == nil {
			return map[string]string{}
		}
		return v
	case string:
		if k.secret && v != "" {
			return "***"
		}
		if k.kind == KindURL {
			return withoutPassword(v)
		}
		return v
	default:
		return v
	}
}

// describe is a value that is refused. What is no address may hold a password all the same, with a sign too few or too many.
func (k key) describe(n *yaml.Node) string {
	if k.kind == KindURL && n.Kind == yaml.ScalarNode {
		told := *n
		told.Value = withoutUser(n.Value)
		n = &told
	}
	return describe(n)
}

// withoutUser hides what stands before the last "@" of a text, from "//" or else from its beginning, and what stands behind a "?".
func withoutUser(text string) string {
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		from := 0
		if slashes := strings.Index(text[:at], "//"); slashes >= 0 {
			from = slashes + len("//")
		}
		text = text[:from] + "***" + text[at:]
	}
	if before, _, found := strings.Cut(text, "?"); found {
		text = before + "?***"
	}
	return text
}

// withoutPassword hides the user part and the query of an address: both may hold keys.
func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "***"
	}
	if u.User == nil && u.RawQuery == "" {
		return address
	}
	if u.User != nil {
		u.User = url.User("***")
	}
	if u.RawQuery != "" {
		u.RawQuery = "***"
	}
	return strings.ReplaceAll(u.String(), "%2A", "*")
}

// Hash names the effective settings that can change an answer: 16 hexadecimal digits, equal for equal settings on every
// machine. Secrets, paths on this machine and log.* are not part of it.
func (c *Config) Hash() string { return c.hash(func(k key) bool { return !k.local && !k.secret }) }

// RankingHash names the settings that decide what is found and in which order: measurements made under another one say
// nothing about this one.
func (c *Config) RankingHash() string { return c.hash(key.ranks) }

// Ranks reports whether the setting of a key is part of RankingHash.
func Ranks(name string) bool {
	k, ok := byName(name)
	return ok && k.ranks()
}

func (k key) ranks() bool { return !k.local && !k.secret && !k.extent }

// IndexHash names the settings that change what an index holds: an index with another hash is built anew.
func (c *Config) IndexHash() string { return c.hash(func(k key) bool { return k.index }) }

func (c *Config) hash(in func(key) bool) string {
	h := sha256.New()
	for _, k := range table {
		if in(k) {
			value := k.shown(c)
			if text, ok := value.(string); ok && k.alike[text] != "" {
				value = k.alike[text]
			}
			b, _ := json.Marshal(value) // maps are written in order of their keys
			fmt.Fprintf(h, "%s=%s\n", k.name, b)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Validate checks every value of c as Load does, for a Config that was made or changed by hand.
func (c *Config) Validate() error {
	var faults Faults
	for _, k := range table {
		if !k.check(k.value(c)) {
			message := fmt.Sprintf("%s: want %s", k.name, k.want())
			if !k.secret {
				message += fmt.Sprintf(", not %v", k.shown(c))
			}
			faults = append(faults, &Fault{Place: "settings", Key: k.name, Message: message})
		}
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

// IndexFolder is the folder of the index of root, which is absolute. Without index_dir it lies in the root. The flag
// names it as it stands; the user's file and the environment hold for many repositories, so that below the folder which
// they name each root has its own, called after the root's last name and a hash of its path.
func (c *Config) IndexFolder(root string) string {
	switch {
	case c.IndexDir == "":
		return filepath.Join(root, ".agenvantage")
	case c.sources["index_dir"] == SourceFlag:
		return c.IndexDir
	default:
		sum := sha256.Sum256([]byte(root))
		return filepath.Join(c.IndexDir, filepath.Base(root)+"-"+hex.EncodeToString(sum[:6]))
	}
}

// KeyInfo documents one key.
type KeyInfo struct {
	Name    string
	Kind    Kind
	Want    string // what is accepted, in words
	Default string // as YAML
	Env     string
	Doc     string // from the comment in default.yaml
	Project bool   // counts in a repository's own file
	Secret  bool
}

// Keys documents every key, sorted by name: the source of the reference page.
func Keys() []KeyInfo {
	docs, defaults := documentation()
	out := make([]KeyInfo, len(table))
	for i, k := range table {
		out[i] = KeyInfo{Name: k.name, Kind: k.kind, Want: k.want(), Default: defaults[k.name], Env: k.env(), Doc: docs[k.name],
			Project: !personal(k.name), Secret: k.secret}
	}
	return out
}

// documentation reads the comment and the text of every default out of default.yaml.
func documentation() (docs, defaults map[string]string) {
	docs, defaults = map[string]string{}, map[string]string{}
	var doc yaml.Node
	if err := yaml.Unmarshal(DefaultYAML, &doc); err != nil {
		panic("configs: default.yaml: " + err.Error())
	}
	var visit func(prefix string, n *yaml.Node)
	visit = func(prefix string, n *yaml.Node) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, v := n.Content[i], n.Content[i+1]
			name := strings.TrimPrefix(prefix+"."+k.Value, ".")
			if isSection(name) {
				visit(name, v)
				continue
			}
			lines := strings.Split(k.HeadComment, "\n")
			for j := range lines {
				lines[j] = strings.TrimSpace(strings.TrimLeft(lines[j], "# "))
			}
			docs[name] = strings.Join(lines, " ")
			text, err := yaml.Marshal(v)
			if err != nil {
				panic("configs: default.yaml: " + name + ": " + err.Error())
			}
			if before, _, found := strings.Cut(string(text), "#"); found {
				text = []byte(before)
			}
			defaults[name] = strings.TrimSpace(string(text))
		}
	}
	visit("", doc.Content[0])
	return docs, defaults
}
