package redact

// The scan keeps a hash of the last three bytes, letters folded to lower case, and looks it up in a table of 32,768
// entries. Each rule registers three bytes that its secrets hold at a known place. On the Go standard library 1 byte in
// 117 is a place to look closer.

type ruleKind uint8

const (
	ruleNone ruleKind = iota
	ruleToken
	ruleBlock
	ruleURL
	ruleName
	ruleBearer
	ruleUser
	rulePass
	ruleLogin
	ruleTerm
	ruleAt
	ruleShared // several rules meet at one hash: each of them is tried
)

const hashMask = 1<<15 - 1

var triggers = buildTriggers()

func hash3(s string) uint32 {
	var h uint32
	for i := range 3 {
		h = (h<<5 ^ uint32(s[i]|0x20)) & hashMask
	}
	return h
}

// nameTriggers are three letters from the middle of words that credential names hold: password, passwd, pwd, passphrase,
// pass, secret, token, key, credential, auth.
var nameTriggers = []string{"ssw", "swd", "pwd", "asp", "ass", "ret", "tok", "key", "ede", "uth"}

// triggerTables says which rule looks closer at three bytes, by their hash. rule is small, since the scan reads it for every byte; shared
// holds a bit for each rule, and is read where rule says ruleShared.
type triggerTables struct {
	rule   [hashMask + 1]ruleKind
	shared [hashMask + 1]uint16
}

func buildTriggers() *triggerTables {
	var tables triggerTables
	set := func(three string, k ruleKind) {
		h := hash3(three)
		tables.shared[h] |= 1 << k
		if tables.rule[h] != ruleNone && tables.rule[h] != k {
			k = ruleShared
		}
		tables.rule[h] = k
	}
	for three := range tokensByStart {
		set(three, ruleToken)
	}
	for _, t := range nameTriggers {
		set(t, ruleName)
	}
	set("--b", ruleBlock)
	set("://", ruleURL)
	set("rer", ruleBearer)
	set("sic", ruleBearer)
	for _, three := range []string{" -u", "\"-u", "'-u", "-us"} {
		set(three, ruleUser)
	}
	for _, three := range []string{" -p", "\"-p", "'-p", " -a", " -k", "\"-k", "'-k"} {
		set(three, rulePass)
	}
	for _, three := range []string{"ogi", "og ", "ign"} { // login, log in, sign in
		set(three, ruleLogin)
	}
	for _, t := range terms {
		set(t.trigger, ruleTerm)
	}
	for _, network := range driverNetworks {
		if len(network) > 2 {
			set(network[:3], ruleAt)
			continue
		}
		for c := 'a'; c <= 'z'; c++ {
			set(network+string(c), ruleAt)
		}
	}
	return &tables
}

type scanner struct {
	text     string
	style    valueStyle
	spans    []span
	nameEnd  int // assignments before this place have been looked at
	blockEnd int

	cookieEnd int // cookies before this place have been looked at

	tableHead, tableEnd int // of the last table with a head that names a credential
}

func (s *scanner) scan() {
	text, table := s.text, &triggers.rule
	var h uint32
	for i := 0; i < len(text); i++ {
		h = (h<<5 ^ uint32(text[i]|0x20)) & hashMask
		k := table[h]
		if k == ruleNone || i < 2 || i < s.blockEnd {
			continue
		}
		if k != ruleShared {
			s.try(k, i)
			continue
		}
		for k, set := ruleToken, triggers.shared[h]; k < ruleShared; k++ {
			if set&(1<<k) != 0 {
				s.try(k, i)
			}
		}
	}
}

// try asks one rule to look at the three bytes that end at i.
func (s *scanner) try(k ruleKind, i int) {
	switch k {
	case ruleToken:
		s.token(i - 2)
	case ruleName:
		s.name(i - 2)
	case ruleBlock:
		s.block(i)
	case ruleURL:
		s.url(i - 2)
	case ruleBearer:
		s.bearer(i + 1)
	case ruleUser:
		s.userOption(i - 2)
	case rulePass:
		s.passwordOption(i - 2)
	case ruleLogin:
		s.login(i - 2)
	case ruleTerm:
		s.term(i - 2)
	case ruleAt:
		s.driverAddress(i - 2)
	}
}

func (s *scanner) add(start, end int, kind string) {
	s.spans = append(s.spans, span{start: start, end: end, kind: kind})
}
