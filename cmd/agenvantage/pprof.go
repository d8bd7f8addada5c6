//go:build pprof

package main

import (
	"net/http"
	_ "net/http/pprof" // its handlers
	"os"
)

// A program that is built with the tag pprof serves profiles at the address in AGENVANTAGE_TEST_PPROF. No release is built so.
func init() {
	if address := os.Getenv("AGENVANTAGE_TEST_PPROF"); address != "" {
		go func() { _ = http.ListenAndServe(address, nil) }()
	}
}
