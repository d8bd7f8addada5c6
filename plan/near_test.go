package plan

import (
	"fmt"
	"strings"
	"testing"
)

func TestNearWords(t *testing.T) {
	for _, x := range []struct {
		text          string
		synonym, form float64
		want          string
	}{
		{"delete the temporary directory", 0.25, 0, "remove/delete:synonym:0.25 erase/delete:synonym:0.25 unlink/delete:synonym:0.25 destroy/delete:synonym:0.25 temp/temporary:synonym:0.25 tmp/temporary:synonym:0.25 folder/directory:synonym:0.25 dir/directory:synonym:0.25"},
		{"remove what was deleted", 0, 1, "removes/remove:form:1 removed/remove:form:1 removing/remove:form:1 delet/deleted:form:1 delets/deleted:form:1 deleting/deleted:form:1"},
		{"delete or remove files", 0.25, 0, "erase/delete:synonym:0.25 unlink/delete:synonym:0.25 destroy/delete:synonym:0.25"}, // of two words for one thing, none twice
		{"what readURL does", 0.25, 0, ""}, // a part of a name
		{"delete files", 0, 0, ""},
	} {
		q, err := Parse(x.text, ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range NearWords(q, NearOptions{Synonym: x.synonym, Form: x.form}) {
			got = append(got, fmt.Sprintf("%s/%s:%s:%v", n.Text, n.For, n.Source, n.Weight))
		}
		if s := strings.Join(got, " "); !strings.HasPrefix(s, x.want) || x.want == "" && s != "" {
			t.Errorf("%s:\n%s, want\n%s", x.text, s, x.want)
		}
	}
}
