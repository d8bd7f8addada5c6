//go:build tools

// Package tools pins the versions of the programs that check the product.
package tools

import _ "honnef.co/go/tools/cmd/staticcheck"
