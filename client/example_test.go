package client_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"agenvantage/client"
)

// repository makes the small repository of the examples.
func repository() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "shop")
	if err != nil {
		log.Fatal(err)
	}
	if err := shop(dir); err != nil {
		log.Fatal(err)
	}
	return dir, func() { os.RemoveAll(dir) }
}

func ExampleClient_Search() {
	dir, remove := repository()
	defer remove()
	c, err := client.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	answer, err := c.Search(context.Background(), client.Query{Text: "what is to be paid", TopK: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range answer.Results {
		fmt.Printf("%s:%d-%d %s\n", r.Path, r.StartLine, r.EndLine, r.Symbol)
	}
	// Output: sum.go:3-4 Cart.Sum
}

func ExampleClient_Pack() {
	dir, remove := repository()
	defer remove()
	c, err := client.Open(dir, client.WithSetting("log.level", "error"))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	pack, err := c.Pack(context.Background(), client.Task{Text: "The sum in sum.go:4 is wrong", Budget: 3000})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pack.Preset, pack.Blocks[0].Path, pack.Tokens <= 3000)
	// Output: bug sum.go true
}
