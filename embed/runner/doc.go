// Package runner embeds the chunks of an index: it decides which texts are sent, in which requests, when again and when no more,
// and has every request on record in package embed/store before it leaves and every answer stored before the next. It must not
// know of indexes, providers or files: it is given a Source, an embed.Embedder and a store.
//
// The flow of Run (runner.go): choose the texts (choose.go, policy.go) → cut requests (queue.go) → send them, as many at a time
// and as soon as the service lets (pace.go) → store, halve, split (split.go) or stop, by what came back (work.go).
package runner
