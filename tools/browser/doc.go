// Package browser opens the project's pages in a real browser and checks what a reader would see. Of the HTML report of
// ablations: that nothing is loaded beside the file, that plots are drawn, tables sort, text can be read in both colour schemes
// and the page fits narrow and wide windows; it is taken from the golden files of ablations, which
// `go test ./ablations -run TestSampleReport -update` writes. Of the page of `agenvantage serve --http`: that a query can be asked
// and its answer be walked through with the keyboard alone, and that all has a name and can be read; it is served by a program
// that is built for the test. This is a module of its own, so that the product does not depend on a browser driver.
package browser
