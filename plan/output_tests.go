package plan

import (
	"regexp"
	"strings"
)

// testForms are the lines with which test runners name a failing test. A line is tried only when it holds hint. Group 1 is
// the name; heading says that a summary further down may name the test better.
var testForms = []struct {
	hint    string
	form    *regexp.Regexp
	heading bool
}{
	// go test: --- FAIL: TestAdd/empty (0.00s)
	{"--- FAIL: ", regexp.MustCompile(`^\s*--- FAIL: (\S+)`), false},
	// pytest: FAILED tests/test_cart.py::TestCart::test_add[1] - AssertionError
	{"::", regexp.MustCompile(`^(?:FAILED|ERROR) (\S+::\S+?(?:\[.*?\])?)(?: - .*)?$`), false},
	{"::", regexp.MustCompile(`^(\S+\.py::\S+?(?:\[.*?\])?) (?:FAILED|ERROR)\b`), false},
	// pytest: _____ TestCart.test_add _____
	{"___", regexp.MustCompile(`^_{3,} (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(\S.*?) _{3,}$`), true},
	// unittest: FAIL: test_add (tests.test_cart.TestCart.test_add)
	{": ", regexp.MustCompile(`^(?:FAIL|ERROR): (\w+ \([\w.]+\))`), false},
	// jest:   ● Cart › adds items
	{"● ", regexp.MustCompile(`^\s*● (\S.*? › .+|[a-z].*)$`), false},
	// vitest: FAIL  src/cart.test.ts > Cart > adds items
	{" > ", regexp.MustCompile(`^\s*(?:FAIL|×|✗|❯)\s+(?:\|[^|]+\| )?(\S+\.\w+ > .+?)(?: \d+(?:\.\d+)?\s*m?s)?$`), false},
	// jest, vitest, mocha, ava:     ✕ adds items (5 ms)
	{"✕ ", regexp.MustCompile(`^\s*✕ (.+?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$`), true},
	{"× ", regexp.MustCompile(`^\s*× (.+?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$`), true},
	{"✖ ", regexp.MustCompile(`^\s*✖ (.+?) \(\d+(?:\.\d+)? ?m?s\)$`), true},
	// cargo test: test cart::tests::adds ... FAILED
	{"... FAILED", regexp.MustCompile(`^test (\S+)(?: - should panic)? \.\.\. FAILED`), false},
	// rspec: rspec ./spec/cart_spec.rb:12 # Cart adds items
	{"rspec ", regexp.MustCompile(`^rspec \S+ # (.+)$`), false},
	// minitest: CartTest#test_add [test/cart_test.rb:12]:
	{"#test_", regexp.MustCompile(`^\s*(?:Failure: |Error: )?([\w:]+#test_\S+?)(?: \[[^\]]*\])?:?$`), false},
	// phpunit: 1) Tests\CartTest::testAdd
	{"::", regexp.MustCompile(`^\d+\) ([\w\\]+::\w+)(?: with data set .*)?$`), false},
	// gradle: CartTest > addsItems() FAILED
	{" FAILED", regexp.MustCompile(`^(\S.*? > .+?) FAILED$`), false},
	// maven: [ERROR] com.shop.CartTest.addsItems -- Time elapsed: 0.01 s <<< FAILURE!
	{"<<<", regexp.MustCompile(`^(?:\[ERROR\]\s+)?(\w[\w.$]*\.\w+|\w+\([\w.$]+\))(?:\s+--)?\s+Time elapsed: .*<<< (?:FAILURE|ERROR)!`), false},
	// maven: [ERROR]   CartTest.addsItems:12 expected: <1> but was: <2>
	{"[ERROR]", regexp.MustCompile(`^\[ERROR\]\s+(\w[\w$]*\.\w+):\d+`), true},
	// dotnet test:   Failed Shop.Tests.CartTests.Adds [12 ms]
	{"Failed ", regexp.MustCompile(`^\s*Failed (\w[\w.+]*(?:\(.*\))?) \[[<\d]`), false},
	// xunit: [xUnit.net 00:00:00.52]     Shop.Tests.CartTests.Adds [FAIL]
	{"[FAIL]", regexp.MustCompile(`^\[xUnit\.net [\d:.]+\]\s+(\S.*?) \[FAIL\]$`), false},
	// ExUnit:   1) test adds items (Shop.CartTest)
	{") ", regexp.MustCompile(`^\s*\d+\) ((?:test|doctest|property|feature) .+ \([\w.]+\))$`), false},
	// bats and other TAP: not ok 1 - adds items
	{"not ok ", regexp.MustCompile(`^\s*not ok \d+(?: -)? (.+?)(?: # (?:time|in) .*)?$`), false},
	// bats on a terminal:  ✗ adds items
	{"✗ ", regexp.MustCompile(`^\s*✗ (.+?)(?: \[\d+\])?(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$`), true},
	// swift test, XCTest: -[ShopTests.CartTests testAdd]  |  Test Case 'CartTests.testAdd' failed
	{"Test Case '", regexp.MustCompile(`^Test Case '([^']+)' failed`), false},
	// GoogleTest: [  FAILED  ] CartTest.Adds (0 ms)
	{"[  FAILED  ]", regexp.MustCompile(`^\[  FAILED  \] (\w+\.\w+)`), false},
}

var (
	mochaFailing  = regexp.MustCompile(`^\s*\d+ failing\b`)
	mochaNumber   = regexp.MustCompile(`^\s{1,4}\d+\) (\S.*)$`)
	goTestMessage = regexp.MustCompile(`^\s+\S+\.go:\d+: (.+)$`)
	mavenPlace    = regexp.MustCompile(`^\[ERROR\]\s+\w[\w$]*\.\w+:\d+(?:->[\w.$:>-]+)? (.+)$`)
	pytestReason  = regexp.MustCompile(`^(?:FAILED|ERROR) \S+\.py\S*(?:\[.*?\])? - (.+)$`)
	todoTest      = regexp.MustCompile(`(?i)# (?:todo|skip)\b`)
)

// readTest takes the name of a failing test from a line and reports whether it holds one.
func (r *outputReader) readTest(line string) bool {
	if mochaFailing.MatchString(line) {
		r.failing = true
		return true
	}
	for _, t := range testForms {
		if !strings.Contains(line, t.hint) {
			continue
		}
		m := t.form.FindStringSubmatch(line)
		if m == nil || len(m[1]) > maxTestBytes || todoTest.MatchString(line) {
			continue
		}
		if t.heading {
			if len(r.headers) < maxFailing {
				r.headers = append(r.headers, strings.TrimSpace(m[1]))
			}
		} else {
			r.test(m[1])
		}
		for _, form := range []*regexp.Regexp{pytestReason, mavenPlace} {
			if reason := form.FindStringSubmatch(line); reason != nil {
				r.say(rankTest, reason[1])
			}
		}
		r.open = nil
		return true
	}
	return r.failing && r.readMocha(line)
}

// maxTitleLines is the most lines of the name of a test of mocha: one for each suite around it.
const maxTitleLines = 8

// readMocha reads the name of a test below "2 failing": "  1) Suite", the inner suites and the test a line each, the last
// one with a colon.
func (r *outputReader) readMocha(line string) bool {
	m := mochaNumber.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	name := strings.TrimSpace(m[1])
	for n := 1; n <= maxTitleLines && !strings.HasSuffix(name, ":"); n++ {
		more := strings.TrimSpace(r.next(n))
		if more == "" {
			break
		}
		name += " " + more
	}
	title, ok := strings.CutSuffix(name, ":")
	if ok {
		r.test(title)
		r.open = nil
	}
	return ok
}
