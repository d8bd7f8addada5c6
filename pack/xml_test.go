package pack

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"agenvantage"
)

func xmlFault(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestXMLKeepsContents(t *testing.T) {
	type element struct {
		Path  string   `xml:"path,attr"`
		Exact string   `xml:"exact,attr"`
		Warn  []string `xml:"warn"`
		Text  struct {
			Exact string `xml:"exact,attr"`
			Text  string `xml:",chardata"`
		} `xml:"text"`
	}
	var doc struct {
		Blocks []element `xml:"blocks>block"`
		Task   string    `xml:"task"`
	}
	for i, text := range hostile {
		path := hostilePaths[i%len(hostilePaths)]
		b := block(path, text)
		b.Warn = []string{text}
		got := XML(agenvantage.Pack{Task: "t", Blocks: []agenvantage.Block{b}})
		doc.Blocks = nil
		if err := xml.Unmarshal([]byte(got), &doc); err != nil || len(doc.Blocks) != 1 || doc.Task != "t" {
			t.Fatalf("%q: %v\n%s", text, err, got)
		}
		e := doc.Blocks[0]
		if exact := fitsXML(text); exact != (e.Text.Exact == "") || exact && e.Text.Text != text {
			t.Errorf("%q became %q, exact %q", text, e.Text.Text, e.Text.Exact)
		}
		if !fitsXML(text) && !strings.Contains(e.Text.Text, "\ufffd") {
			t.Errorf("%q became %q", text, e.Text.Text)
		}
		if exact := fitsXML(path); exact != (e.Exact == "") || exact && e.Path != path {
			t.Errorf("path %q became %q, exact %q", path, e.Path, e.Exact)
		}
	}
}

func TestFitsXML(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{{"a\t\r\n", true}, {"\x00", false}, {"\x1b", false}, {"\ufffe", false}, {"\uffff", false}, {"\ufffd", true}, {"\xff", false}, {"\U0010ffff", true}, {"\u2028\x7f\u0085", true}} {
		if got := fitsXML(c.text); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
}
