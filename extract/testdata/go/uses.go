package uses

import (
	_ "embed"
	"example.com/m/store"
	. "fmt"
	alias "os"
)

type Kind int

const (
	First Kind = iota
	Second
)

type box[T any] struct {
	store.Base
	inner T
	table []struct {
		name string
		run  func() error
	}
}

type names = map[string]*store.Item

var shared, other = store.New(), open()

func open() (f *alias.File, err error) { return nil, nil }

func (b *box[E]) walk(list []*store.Item, byName names, in <-chan store.Item, list2 ...E) error {
	for i, item := range list {
		item.Show(i, First)
	}
	for key, v := range byName {
		Println(key, v.Name)
	}
	next := <-in
	next.Show()
	if next, ok := any(b.inner).(interface{ Next() *store.Item }); ok {
		next.Next().Show()
	}
	switch v := shared.Any().(type) {
	case *store.Item, nil:
		v.Show()
	case store.Base:
		v.Base()
	}
	rows := []store.Item{{Name: "a", Parts: map[string]*store.Part{"x": {Size: 1}}}}
	rows[0].Show()
	shared := func() store.Item { return store.Item{} }
	shared().Show()
	f, err := open()
	f.Close()
	run := b.table[0].run
	clone := append([]store.Item(nil), rows...)
	clone[0].Show()
	unknown()(1).Do()
	var late store.Part
	late.Size++
	go func(p *store.Part) { p.Size = late.Size }(new(store.Part))
	select {
	case got := <-in:
		got.Show()
	}
	_ = run
	return err
}
