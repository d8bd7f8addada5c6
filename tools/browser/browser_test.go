package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The pages under test.
const (
	samplePage = "../../ablations/testdata/sample_report.html"
	smallPage  = "../../ablations/testdata/sample_small.html"
)

// browserVariable names the browser to use. When it is set the tests must run; without it they are skipped where no
// browser is installed.
const browserVariable = "AGENVANTAGE_TEST_BROWSER"

// timeout bounds a test, start of the browser included; it takes a few seconds on two cores.
const timeout = 3 * time.Minute

func browserPath(t *testing.T) string {
	t.Helper()
	if path := os.Getenv(browserVariable); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			t.Fatalf("%s=%s: %v", browserVariable, path, err)
		}
		return found
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	t.Skipf("no browser is installed; %s names one", browserVariable)
	return ""
}

// newBrowser starts a browser for a test and returns a context of its first tab.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(browserPath(t)),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.NoSandbox, // containers run as root, and the pages are our own
		chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.WSURLReadTimeout(time.Minute),
	)
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start the browser: %v", err)
	}
	return ctx
}

// tab is an open page and what was heard of it.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu       sync.Mutex
	requests []string
	problems []string // errors and warnings of the console, exceptions
}

// open opens a file in a tab of its own in a window of the given width; scheme is "light" or "dark".
func open(t *testing.T, browser context.Context, file string, width int64, scheme string) *tab {
	t.Helper()
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return visit(t, browser, (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(), width, scheme)
}

// visit is open for an address.
func visit(t *testing.T, browser context.Context, address string, width int64, scheme string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx, url: address}
	p.do() // the tab is there before it is listened to
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal(err)
	}
	call(p, network.Enable, network.EnableParams{})
	call(p, runtime.Enable, cdp.Empty{})
	call(p, log.Enable, cdp.Empty{})
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	p.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(p.url))
	return p
}

// call sends a command of the protocol.
func call[P, R any](p *tab, command cdp.Command[P, R], params P) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, command, params); err != nil {
		p.t.Fatalf("%s: %v", filepath.Base(p.url), err)
	}
}

func (p *tab) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	case *network.EventWebSocketCreated:
		p.requests = append(p.requests, e.URL)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			p.problems = append(p.problems, fmt.Sprintf("console %s", e.Type))
		}
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.problems = append(p.problems, e.Entry.Text)
		}
	}
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatalf("%s: %v", filepath.Base(p.url), err)
	}
}

func (p *tab) click(selector string) {
	p.t.Helper()
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// evaluate runs a script in the page and returns its value; a promise is awaited. Names of fields are those of T.
func evaluate[T any](p *tab, script string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", filepath.Base(p.url), err)
	}
	return value
}

// unfold opens everything that is folded.
func (p *tab) unfold() {
	p.t.Helper()
	n := evaluate[int](p, `document.querySelectorAll("details").forEach((d) => { d.open = true; }), document.querySelectorAll("details").length`)
	if n == 0 {
		p.t.Fatalf("%s: nothing is folded", filepath.Base(p.url))
	}
}

// heard returns what was requested and what went wrong, once the browser has told of everything before this call.
func (p *tab) heard() (requests, problems []string) {
	p.t.Helper()
	// Two frames: lazy loads of what has come into view are begun by then.
	evaluate[bool](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests), slices.Clone(p.problems)
}

// TestListener shows that what the other tests rely on is heard at all.
func TestListener(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"page.html": `<!doctype html><title>x</title><link rel="stylesheet" href="side.css"><script>console.error("one"); throw new Error("two")</script>`,
		"side.css":  "body { color: red }",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, newBrowser(t), filepath.Join(dir, "page.html"), 1400, "light")
	requests, problems := p.heard()
	if len(requests) != 2 || !strings.HasSuffix(requests[1], "/side.css") {
		t.Errorf("requests %q", requests)
	}
	if all := strings.Join(problems, " "); !strings.Contains(all, "console error") || !strings.Contains(all, "two") {
		t.Errorf("problems %q", problems)
	}
}

// TestNothingIsLoaded opens the pages in both schemes and unfolds them: one request each, and nothing on the console.
func TestNothingIsLoaded(t *testing.T) {
	browser := newBrowser(t)
	for _, file := range []string{samplePage, smallPage} {
		for _, scheme := range []string{"light", "dark"} {
			p := open(t, browser, file, 1400, scheme)
			p.unfold()
			requests, problems := p.heard()
			if len(requests) != 1 || requests[0] != p.url {
				t.Errorf("%s, %s: requests %q", filepath.Base(file), scheme, requests)
			}
			if len(problems) > 0 {
				t.Errorf("%s, %s: %q", filepath.Base(file), scheme, problems)
			}
		}
	}
}

// TestPolicyIsInForce: even a script in the page could not load an image from elsewhere.
func TestPolicyIsInForce(t *testing.T) {
	p := open(t, newBrowser(t), smallPage, 1400, "light")
	directive := evaluate[string](p, `new Promise((done) => {
		document.addEventListener("securitypolicyviolation", (e) => done(e.effectiveDirective));
		document.body.append(Object.assign(new Image(), { src: "http://127.0.0.1:9/x.png", onload: () => done("loaded") }));
	})`)
	if directive != "img-src" {
		t.Errorf("an image from elsewhere: %s", directive)
	}
}
