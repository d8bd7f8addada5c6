package ablations

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const lockFile = "lock"

// ErrRunBusy is returned while another process answers into a run's folder.
var ErrRunBusy = errors.New("another process is using the run")

// lock makes this process the one that writes into the run's folder. It does not wait: two runs side by side would answer
// everything twice. The system drops the lock of a process that dies.
func (r *Run) lock() (release func(), err error) {
	path := filepath.Join(r.dir, lockFile)
	l := flock.New(path, flock.SetPermissions(0o644))
	got, err := l.TryLock()
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("%w: lock %s: %w", ErrOutput, r.dir, err)
	}
	if !got {
		l.Close()
		owner, _ := os.ReadFile(path)
		return nil, fmt.Errorf("%w: %s%s", ErrRunBusy, r.dir, prefixed(" by ", strings.TrimSpace(string(owner))))
	}
	note := fmt.Sprintf("process %d since %s\n", os.Getpid(), time.Now().Format(time.RFC3339))
	if err := os.WriteFile(path, []byte(note), 0o644); err != nil {
		l.Close()
		return nil, fmt.Errorf("%w: lock %s: %w", ErrOutput, r.dir, err)
	}
	return func() {
		_ = os.Truncate(path, 0)
		_ = l.Close()
	}, nil
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// maxDifferences is how many differences of two manifests an error names.
const maxDifferences = 3

// difference names what differs between two manifests, "key: old, now new". Settings are named by their keys and stand for
// the hashes that follow from them, the budgets of packs for those at which answers are scored.
func difference(old, now []byte) string {
	var list []string
	a, b := map[string]string{}, map[string]string{}
	flatten(old, a)
	flatten(now, b)
	keys := maps.Clone(a)
	maps.Copy(keys, b)
	settings, packs := false, false
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		settings = settings || a[key] != b[key] && strings.HasPrefix(key, settingPrefix)
		packs = packs || a[key] != b[key] && strings.HasPrefix(key, "matrix.variants.") && strings.HasSuffix(key, ".pack")
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if a[key] == b[key] || settings && (key == "config_hash" || strings.HasPrefix(key, "config_hashes.")) || packs && strings.HasPrefix(key, "budgets.") {
			continue
		}
		absent := "none"
		if strings.HasPrefix(key, settingPrefix) {
			absent = "the default"
		}
		list = append(list, fmt.Sprintf("%s: %s, now %s", strings.TrimPrefix(key, settingPrefix), either(a[key], absent), either(b[key], absent)))
	}
	if len(list) > maxDifferences {
		list = append(list[:maxDifferences], fmt.Sprintf("and %d more", len(list)-maxDifferences))
	}
	if len(list) == 0 {
		return "its text differs"
	}
	return strings.Join(list, "; ")
}

func either(s, absent string) string {
	if s == "" {
		return absent
	}
	return clip(s, 80)
}

// settingPrefix stands before the keys of settings in what flatten makes of a manifest.
const settingPrefix = "settings."

// flatten puts the values of a manifest under dotted keys; settings and variants go by their names.
func flatten(text []byte, into map[string]string) {
	var m map[string]any
	if json.Unmarshal(text, &m) != nil {
		return
	}
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, one := range v {
				walk(strings.TrimPrefix(key+"."+k, "."), one)
			}
		case []any:
			for i, one := range v {
				name := fmt.Sprint(i)
				if o, ok := one.(map[string]any); ok {
					if s, ok := o["key"].(string); ok { // a setting
						into[key+"."+s] = fmt.Sprint(o["value"])
						continue
					}
					if s, ok := o["name"].(string); ok { // a variant
						name = s
					}
				}
				walk(key+"."+name, one)
			}
		case nil:
		default:
			into[key] = fmt.Sprint(v)
		}
	}
	walk("", m)
}
