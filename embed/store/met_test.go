package store

import (
	"testing"
	"time"

	"agenvantage/embed"
)

// TestASetKnowsWhoGaveItsVectorsLast: a service that moved is on record at its new address, in the ledger as well.
func TestASetKnowsWhoGaveItsVectorsLast(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s, err := Open(t.TempDir(), Options{Create: true, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	i := embed.Identity{Provider: "ollama", Endpoint: "http://127.0.0.1:1", Model: "m:latest", Dimensions: 2}
	for _, port := range []string{"1", "2"} {
		i.Endpoint = "http://127.0.0.1:" + port
		key, err := s.AddSet(i)
		if err != nil {
			t.Fatal(err)
		}
		sets, err := s.Identities()
		if err != nil || len(sets) != 1 || sets[0].Key != key || sets[0].Identity != i || !sets[0].Met.Equal(now) || !sets[0].Created.Equal(time.Unix(1_800_000_000, 0)) {
			t.Fatalf("%+v, %v", sets, err)
		}
		if _, err := s.Begin(key, i.Endpoint, embed.Document, []Text{{Hash: Hash{1}, Bytes: 1, Tokens: 1}}); err != nil {
			t.Fatal(err)
		}
		last := ""
		if err := s.Log(t.Context(), LogFilter{}, func(e Entry) error { last = e.Host; return nil }); err != nil || last != "127.0.0.1:"+port {
			t.Errorf("the ledger names %q, %v", last, err)
		}
		now = now.Add(time.Hour)
	}
}
