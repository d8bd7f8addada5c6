package plan

import (
	"regexp"
	"strings"
)

// This file tells lists of versions and of the environment from prose and code.

var (
	environmentHeading = regexp.MustCompile(`^(?:your |the |my |system |runtime |test |local |development |additional )*(?:environment|env|system|platform|setup|versions?|software versions?|installed versions|package versions?|operating system|os|dependencies)` +
		`(?:(?: and| &|,| ?/)? ?(?:info(?:rmation)?|details?|versions?|environment|configuration|used|settings|setup|platform|system|os))*(?: \(.*\))?$` +
		`|^(?:the )?(?:output|result)s? of .*(?:version|show_versions|freeze|pip list|system_info|doctor|env info|envinfo|debug info|sysinfo)` +
		`|^.{0,40}(?:--version|-version|show_versions\(\)|system_info\(\)|pip freeze|pip list)(?: output)?$` +
		`|^(?:\w+ ){1,3}versions?(?: (?:used|info(?:rmation)?|number|affected))?$|^versions? (?:of|used|affected|info)\b.{0,40}$`)
	versionNumber = regexp.MustCompile(`\bv?\d+\.\d+(?:\.\d+)*\S*|\b\d{4}-\d\d-\d\d\b`)
	versionPin    = regexp.MustCompile(`^[\w.@/+-]+\s*(?:==|>=|~=|@|=)\s*v?\d[\w.+-]*$`)
	versionCell   = regexp.MustCompile(`^[\w.@/ ()+-]{1,40}?\s*(?:[:|]|\s{1,}|\s-\s)\s*v?\d+(?:\.[\w+-]+)+[^.!?]{0,60}$`)
	labelValue    = regexp.MustCompile(`^[A-Za-z][\w ./()+-]{0,40}\s*:\s*\S`)
	systemLabel   = regexp.MustCompile(`(?i)^(?:os|os-release|operating system|platform|python(?:-bits)?|node|npm|yarn|browser|machine|processor|byteorder|lc_all|lang|locale|commit|arch(?:itecture)?|cpu|kernel|shell|go|java|jdk|ruby|rustc|compiler|\w+ version|version|distribution|terminal|device|docker|installed via|libhdf5|libnetcdf|sphinx extensions|extra tools)\s*:`)
	emptyValue    = regexp.MustCompile(`^[\w.-]+: (?:None|N/A|n/a|unknown|installed|not installed)$`)
	listMark      = regexp.MustCompile(`^(?:[-*+•|>]\s*|\d+[.)]\s+)+`)
	markedName    = strings.NewReplacer("**", "", "__", "", "`", "")
)

// isEnvironment reports whether a heading in its normal form is that of a list of versions.
func isEnvironment(heading string) bool {
	return heading != "" && environmentHeading.MatchString(heading)
}

// isVersionLine reports whether a line names a program and its version or a part of the system, and nothing else.
func isVersionLine(line string) bool {
	s := strings.TrimSpace(line)
	if s == "" || len(s) > 160 {
		return false
	}
	s = strings.TrimRight(markedName.Replace(listMark.ReplaceAllString(s, "")), " |")
	return versionPin.MatchString(s) || versionCell.MatchString(s) && len(strings.Fields(s)) <= 12 || systemLabel.MatchString(s) || emptyValue.MatchString(s)
}

// isListing reports whether a line under a heading such as "Environment" belongs to the list: it is blank, a version, a
// label with a value, a rule of a table, or too short for a sentence. A code line or a message is never asked about.
func isListing(line string) bool {
	s := strings.TrimSpace(line)
	s = strings.TrimSpace(markedName.Replace(listMark.ReplaceAllString(s, "")))
	words := len(strings.Fields(s))
	switch {
	case words <= 6, strings.Trim(s, "-=|: ") == "", isVersionLine(line):
		return true
	case labelValue.MatchString(s) && words <= 24, detailTags.MatchString(s):
		return true
	}
	return versionNumber.MatchString(s) && words <= 24
}

// leastVersions is the shortest run of version lines that is a list wherever it stands.
const leastVersions = 3

// versionRun returns the number of lines of the list of versions that lines start with, or 0. Blank lines and rules may
// stand inside of it; a heading such as INSTALLED VERSIONS before it is left to the rule for headings.
func versionRun(lines []string) int {
	versions, end := 0, 0
	for i, line := range lines {
		s := strings.TrimSpace(line)
		switch {
		case isVersionLine(line) && !isCodeLine(line):
			versions++
			end = i + 1
			continue
		case i > 0 && (s == "" || strings.Trim(s, "-=|: ") == ""):
			continue
		}
		break
	}
	if versions < leastVersions {
		return 0
	}
	return end
}

// allVersions reports whether every line that is not blank is part of a list of versions, and at least one is a version.
func allVersions(lines []string) bool {
	versions, others := 0, 0
	for _, line := range lines {
		s := strings.TrimSpace(line)
		switch {
		case isVersionLine(line):
			versions++
		case s == "" || strings.Trim(s, "-=|: ") == "" || strings.HasPrefix(s, "$") || isEnvironment(normalHeading(s)):
		case versionNumber.MatchString(s) && len(strings.Fields(s)) <= 12 && !isTraceLine(s):
			versions++
		default:
			others++
		}
	}
	return versions > 0 && others == 0
}
