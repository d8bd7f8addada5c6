// Package browser opens the HTML report of ablations in a real browser and checks what a reader would see: that nothing
// is loaded beside the file, that plots are drawn, tables sort, text can be read in both colour schemes and the page fits
// narrow and wide windows. It is a module of its own, so that the product does not depend on a browser driver. The pages
// are the golden files of ablations; `go test ./ablations -run TestSampleReport -update` writes them.
package browser
