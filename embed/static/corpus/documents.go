package corpus

import (
	"regexp"
	"strings"

	"agenvantage/analysis"
)

var (
	testWords   = regexp.MustCompile(`(?i)^(?:test|tests|spec|it|should|when|case|describe|check)$`)
	description = regexp.MustCompile("^\\s*(?:it|test|specify|scenario|example|should|fun|void)\\b\\s*\\(?\\s*[\"'`]([^\"'`\\n]{12,160})[\"'`]")
	fenceStart  = regexp.MustCompile("^\\s{0,3}(?:```+|~~~+)\\s*([\\w+#.-]*)")
	codeBlock   = regexp.MustCompile(`^\.\. (?:code-block|code|sourcecode)::\s*(\w*)`)
	underline   = regexp.MustCompile(`^(=+|-+|~+|\^+|\*+|#+|\++)\s*$`)
	codeName    = regexp.MustCompile("`+([A-Za-z_][\\w.:]*)(?:\\(\\))?`+")
)

// descriptions pairs what a test says of itself with the code of the test.
func (c *collector) descriptions(path, lang string, lines []string) {
	for i, line := range lines {
		m := description.FindStringSubmatch(line)
		if m == nil || !isProse(m[1], 3) {
			continue
		}
		depth := indent(line)
		end := i + 1
		for ; end < len(lines) && end < i+40; end++ {
			if strings.TrimSpace(lines[end]) != "" && indent(lines[end]) <= depth {
				break
			}
		}
		if end-i >= 3 {
			c.add(Pair{Kind: KindTest, Lang: lang, Query: m[1], Path: path, Body: strings.Join(lines[i+1:end], ""), Start: i + 1, End: end})
		}
	}
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// testsOf pairs the names of tests with what they test: the symbol of the package whose name is the longest beginning of
// the test's.
func (c *collector) testsOf() {
	for _, t := range c.tests {
		parts := analysis.SplitIdentifier(t.Name)
		for len(parts) > 0 && testWords.MatchString(parts[0]) {
			parts = parts[1:]
		}
		for len(parts) > 0 && testWords.MatchString(parts[len(parts)-1]) {
			parts = parts[:len(parts)-1]
		}
		if len(parts) < 2 || len(parts) > 14 || !strings.Contains(strings.ToLower(t.Name), "test") {
			continue
		}
		for n := len(parts); n > 0; n-- {
			name := strings.Join(parts[:n], "")
			found := c.byName[name]
			if len(found) == 0 || len(found) > 3 || n == 1 && len(name) < 5 {
				continue
			}
			s := c.symbols[found[0]]
			p := s.pair(KindTest, strings.Join(parts, " "))
			if hashOf(t.path, t.Qualified)%2 == 0 {
				p.Name, p.Body = parentName(s.Qualified, s.Name), maskWord(s.text, s.Name)
			}
			if isProse(p.Query, 2) {
				c.add(p)
			}
			break
		}
	}
}

// section is a heading of a document with what stands below it.
type section struct {
	heading string
	text    []string // lines of prose
}

// headingsOf pairs headings and their text with the code below them and with the symbols that they document.
func (c *collector) headingsOf() {
	for _, d := range c.documents {
		lines := strings.Split(d.text, "\n")
		var now section
		for i := 0; i < len(lines); i++ {
			line := lines[i]
			if m := fenceStart.FindStringSubmatch(line); m != nil {
				end := i + 1
				for end < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[end]), strings.TrimSpace(line)[:3]) {
					end++
				}
				c.block(d.path, m[1], now, lines[i+1:min(end, len(lines))])
				i = end
				continue
			}
			if m := codeBlock.FindStringSubmatch(line); m != nil || strings.HasSuffix(strings.TrimSpace(line), "::") {
				lang := ""
				if m != nil {
					lang = m[1]
				} else {
					now.text = append(now.text, strings.TrimSuffix(strings.TrimSpace(line), "::"))
				}
				end := i + 1
				for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || indent(lines[end]) > indent(line)) {
					end++
				}
				c.block(d.path, lang, now, lines[i+1:end])
				i = end - 1
				continue
			}
			if heading, ok := headingAt(lines, i); ok {
				c.documented(now)
				now = section{heading: heading}
				continue
			}
			if !underline.MatchString(line) && len(now.text) < 40 {
				now.text = append(now.text, line)
			}
		}
		c.documented(now)
	}
}

// headingAt returns the heading in line i of a document.
func headingAt(lines []string, i int) (string, bool) {
	line := lines[i]
	if h := strings.TrimLeft(line, "#"); h != line && strings.HasPrefix(h, " ") {
		return strings.TrimSpace(strings.Trim(h, "# ")), true
	}
	if i+1 < len(lines) && len(strings.TrimSpace(line)) > 2 && underline.MatchString(lines[i+1]) && len(strings.TrimSpace(lines[i+1])) >= len(strings.TrimSpace(line))*2/3 {
		return strings.TrimSpace(line), true
	}
	return "", false
}

// shellLanguages are fences that hold what is typed or printed rather than code.
var shellLanguages = map[string]bool{"bash": true, "sh": true, "shell": true, "console": true, "text": true, "txt": true, "none": true, "diff": true, "output": true, "json": true, "yaml": true, "toml": true, "ini": true, "html": true, "xml": true, "zsh": true}

// block pairs a code block with the text above it.
func (c *collector) block(path, lang string, s section, lines []string) {
	if len(lines) < 2 || shellLanguages[strings.ToLower(lang)] {
		return
	}
	above := strings.Join(lastParagraph(s.text), " ")
	query := cleanText(strings.ReplaceAll(s.heading+". "+above, "`", ""), maxQueryBytes)
	if isProse(query, 4) && !skippable(query) {
		c.add(Pair{Kind: KindHeading, Lang: strings.ToLower(lang), Query: query, Body: strings.Join(lines, "\n")})
	}
}

// lastParagraph is what stands right above a block.
func lastParagraph(text []string) []string {
	end := len(text)
	for end > 0 && strings.TrimSpace(text[end-1]) == "" {
		end--
	}
	from := end
	for from > 0 && strings.TrimSpace(text[from-1]) != "" {
		from--
	}
	return text[from:end]
}

// documented pairs a section with the one symbol that its heading names.
func (c *collector) documented(s section) {
	name := s.heading
	if m := codeName.FindStringSubmatch(s.heading); m != nil {
		name = m[1]
	}
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	if i := strings.LastIndexAny(name, ".:"); i >= 0 {
		name = name[i+1:]
	}
	if strings.ContainsAny(name, " \t") || len(name) < 4 {
		return
	}
	found := c.byName[analysis.Normalise(name)]
	if len(found) != 1 {
		return
	}
	at := c.symbols[found[0]]
	text := cleanText(strings.ReplaceAll(strings.Join(firstOf(s.text), " "), "`", ""), maxQueryBytes)
	if isProse(text, 5) && !skippable(text) {
		p := at.pair(KindHeading, maskWord(text, at.Name))
		p.Body = withoutLines(at.text, at.Doc)
		c.add(p)
	}
}

// firstOf is the first paragraph of a section.
func firstOf(text []string) []string {
	from := 0
	for from < len(text) && strings.TrimSpace(text[from]) == "" {
		from++
	}
	end := from
	for end < len(text) && strings.TrimSpace(text[end]) != "" {
		end++
	}
	return text[from:end]
}
