package archtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestTheSampleOfTheReadmeIsOfAnOlderFile: the lines that README shows as an answer are those of the file that it names, at their numbers.
func TestTheSampleOfTheReadmeIsOfAnOlderFile(t *testing.T) {
	root := filepath.Join("..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	place := regexp.MustCompile(`(?m)^(\S+\.go):(\d+)-(\d+)  \S.*\n((?: +\d+  .*\n)+)`)
	shown := regexp.MustCompile(`(?m)^ +(\d+)  (.*)$`)
	samples := place.FindAllStringSubmatch(string(readme), -1)
	checked := 0
	for _, s := range samples {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s[1])))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // of another repository
		case err != nil:
			t.Fatal(err)
		}
		checked++
		lines := strings.Split(strings.ReplaceAll(string(text), "\t", "    "), "\n")
		numbers := shown.FindAllStringSubmatch(s[4], -1)
		first, last := numbers[0][1], numbers[len(numbers)-1][1]
		if first != s[2] || last != s[3] {
			t.Errorf("%s: lines %s to %s are shown of %s to %s", s[1], first, last, s[2], s[3])
		}
		for _, line := range numbers {
			if n, err := strconv.Atoi(line[1]); err != nil || n > len(lines) || lines[n-1] != line[2] {
				t.Errorf("%s:%s is not %q", s[1], line[1], line[2])
			}
		}
	}
	if checked == 0 {
		t.Error("README shows no answer from this repository")
	}
}
