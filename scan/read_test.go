package scan

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"agenvantage"
)

func utf16Bytes(order binary.AppendByteOrder, mark bool, text string) string {
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func encode(t *testing.T, e encoding.Encoding, text string) string {
	t.Helper()
	s, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDecode(t *testing.T) {
	japaneseText := "// これは設定ファイルを読み込む関数です\nint load(void);\n// エラーのときは負の値を返します\n"
	for _, c := range []struct{ name, in, want, encoding string }{
		{"plain", "a\nb", "a\nb", "utf-8"},
		{"empty", "", "", "utf-8"},
		{"utf-8", "größe 寻路 🙂\n", "größe 寻路 🙂\n", "utf-8"},
		{"utf-8 mark", "\xef\xbb\xbfa\n", "a\n", "utf-8"},
		{"mark inside", "a\ufeffb\n", "ab\n", "utf-8"},
		{"crlf", "a\r\nb\rc\r\n", "a\nb\rc\n", "utf-8"},
		{"utf-16le", utf16Bytes(binary.LittleEndian, true, "class A {\r\n é🙂 }\n"), "class A {\n é🙂 }\n", "utf-16le"},
		{"utf-16be", utf16Bytes(binary.BigEndian, true, "a\nб\n"), "a\nб\n", "utf-16be"},
		{"utf-16 odd length", utf16Bytes(binary.LittleEndian, true, "abc\n") + "x", "abc\n\ufffd", "utf-16le"},
		{"utf-16 lone surrogate", "\xff\xfea\x00\x00\xd8b\x00", "a\ufffdb", "utf-16le"},
		{"utf-32le", "\xff\xfe\x00\x00a\x00\x00\x00\n\x00\x00\x00", "a\n", "utf-32le"},
		{"utf-32be", "\x00\x00\xfe\xff\x00\x00\x00a", "a", "utf-32be"},
		{"latin-1", "# caf\xe9\ndef f(): return 'na\xefve'\n", "# café\ndef f(): return 'naïve'\n", "windows-1252"},
		{"windows-1252", "it\x92s \x93quoted\x94\n", "it’s “quoted”\n", "windows-1252"},
		{"cut sequence", "def bad_tail():\n    return \"\xe2\x82\"\n", "def bad_tail():\n    return \"\ufffd\"\n", "utf-8-lossy"},
		{"damaged utf-8", "größe größe größe \xff\n", "größe größe größe \ufffd\n", "utf-8-lossy"},
		{"unknown bytes", "int \x80\x81\xfe\xff = 0;\nint ok(void){return 1;}\n", "int \ufffd = 0;\nint ok(void){return 1;}\n", "utf-8-lossy"},
		{"windows-1251", encode(t, charmap.Windows1251, "// загрузить настройки пользователя\n"), "// загрузить настройки пользователя\n", "windows-1251"},
		{"koi8-r", encode(t, charmap.KOI8R, "// загрузить настройки пользователя\n"), "// загрузить настройки пользователя\n", "koi8-r"},
		{"shift_jis", encode(t, japanese.ShiftJIS, japaneseText), japaneseText, "shift_jis"},
		{"euc-jp", encode(t, japanese.EUCJP, japaneseText), japaneseText, "euc-jp"},
		{"gbk", encode(t, simplifiedchinese.GBK, "// 寻找路径的服务，返回最短的距离\nint f;\n"), "// 寻找路径的服务，返回最短的距离\nint f;\n", "gb18030"},
		{"big5", encode(t, traditionalchinese.Big5, "// 這個函數計算兩點之間的距離並且返回結果\n"), "// 這個函數計算兩點之間的距離並且返回結果\n", "big5"},
		{"euc-kr", encode(t, korean.EUCKR, "// 이 함수는 두 점 사이의 거리를 계산합니다\n"), "// 이 함수는 두 점 사이의 거리를 계산합니다\n", "euc-kr"},
	} {
		text, encoding, ok := decodeText([]byte(c.in))
		if !ok || text != c.want || encoding != c.encoding {
			t.Errorf("%s: %q, %s, %v; want %q, %s", c.name, text, encoding, ok, c.want, c.encoding)
		}
	}
	random := make([]byte, 4000)
	for i := range random {
		random[i] = byte(1 + (i*i*31+i*7)%255)
	}
	for name, in := range map[string]string{"zero": "MZ\x00\x00binary", "late zero": strings.Repeat("a", 100000) + "\x00", "utf-16 without a mark": utf16Bytes(binary.LittleEndian, false, "abc"),
		"zero in utf-16": utf16Bytes(binary.LittleEndian, true, "a\x00b"), "pdf": "%PDF-1.4 text only", "noise": string(random)} {
		if text, _, ok := decodeText([]byte(in)); ok {
			t.Errorf("%s is text: %.20q", name, text)
		}
	}
}

// FuzzDecode checks that any bytes give a text that is valid, free of NUL and of the same lines, and the same twice.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"a\r\nb", "\xff\xfea\x00\n\x00", "\xfe\xff\x00a", "\xef\xbb\xbfx", "caf\xe9\n", "\x82\xb1\x82\xea\x82\xcd\x90\xdd", "\xff\xfe\x00\x00a\x00\x00\x00", "\xb0\xa1\xb0\xa2\n", "\xe2\x82\n\xff", "\xc3\xa4\x0a\xe4"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		text, encoding, ok := decodeText(content)
		if !ok {
			return
		}
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\ufeff") || strings.Contains(text, "\r\n") && !strings.Contains(string(content), "\r\r\n") && utf8.Valid(content) && !strings.Contains(string(content), "\ufeff") {
			t.Fatalf("%q (%s) gives %q", content, encoding, text)
		}
		if !strings.HasPrefix(encoding, "utf-16") && !strings.HasPrefix(encoding, "utf-32") && strings.Count(text, "\n") != strings.Count(string(content), "\n") {
			t.Fatalf("%q (%s) gives other lines: %q", content, encoding, text)
		}
		if again, e, _ := decodeText(content); again != text || e != encoding {
			t.Fatal("not the same twice")
		}
	})
}

func TestReadFacts(t *testing.T) {
	tr := newTree(t)
	body := "\xef\xbb\xbfpackage a\r\n\r\nfunc F() {}\r\n"
	tr.write("a.go", body)
	entry := tr.list("", Options{}).Entries[0]
	s, skip, err := tr.open("", Options{}).Read(context.Background(), entry)
	if err != nil || skip != nil {
		t.Fatal(skip, err)
	}
	want := agenvantage.File{Path: "a.go", Size: int64(len(body)), ModNS: entry.ModNS, ChangeNS: entry.ChangeNS, Hash: xxh3.HashString128(body).Bytes(), Lang: "go", Encoding: "utf-8"}
	if s.File != want || s.Text != "package a\n\nfunc F() {}\n" {
		t.Errorf("got %+v\nwant %+v\ntext %q", s.File, want, s.Text)
	}
}

func TestReadSkips(t *testing.T) {
	tr := newTree(t)
	begin, end := "-----BEGIN RSA PRIV"+"ATE KEY-----\n", "-----END RSA PRIV"+"ATE KEY-----\n"
	key := begin + strings.Repeat("MIIEpAIBAAKCAQEAabcdefghijklmnop0123456789+/\n", 3) + end
	certificate := "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
	squeezed := strings.Repeat("function f(a){return a+1};", 400)
	for _, c := range []struct{ name, content, reason string }{
		{".env", "A=1", "credential"}, {"config/.env.local", "A=1", "credential"}, {".env.production.local", "A=1", "credential"}, {"prod.env", "A=1", "credential"}, {".envrc", "A=1", "credential"},
		{"config/.env.example", "A=1", ""}, {".env.sample", "A=1", ""}, {".env.template", "", ""}, {".env.dist", "", ""}, {"env.py", "", ""}, {"example.env", "A=1", ""}, {".environment", "A=1", ""},
		{"deploy/id_rsa", "x", "credential"}, {"id_ed25519", "x", "credential"}, {"id_rsa.pub", "ssh-rsa AAAA", ""}, {"id_rsa_test.go", "package x", ""},
		{"a.p12", "x", "credential"}, {"a.PFX", "x", "credential"}, {"a.jks", "x", "credential"}, {"a.kdbx", "x", "credential"}, {".netrc", "x", "credential"}, {"_netrc", "x", "credential"}, {".pgpass", "x", "credential"},
		{"home/.aws/credentials", "x", "credential"}, {".docker/config.json", "{}", "credential"}, {"credentials.go", "package c", ""}, {"aws/credentials.py", "", ""}, {".git-credentials", "x", "credential"}, {".htpasswd", "x", "credential"},
		{"deploy/.pypirc", "x", "credential"}, {"home/.config/git/credentials", "x", "credential"}, {"home/.local/share/gem/credentials", "x", "credential"}, {"home/.m2/settings.xml", "x", "credential"}, {".m2/settings-security.xml", "x", "credential"},
		{"home/.config/composer/auth.json", "x", "credential"}, {"app/config/credentials/production.key", "x", "credential"}, {"config/credentials/staging.key", "x", "credential"}, {"home/.gradle/gradle.properties", "x", "credential"}, {"kaggle.json", "x", "credential"},
		{"home/.nuget/NuGet/NuGet.Config", "x", "credential"}, {".npmrc", "a=b\n", ""}, {".yarnrc.yml", "a: b\n", ""}, {"NuGet.Config", "<a/>", ""}, {"gradle.properties", "a=b\n", ""}, {"settings.xml", "<a/>", ""}, {"auth.json", "{}", ""}, {"myconfig/credentials/en.key", "x", ""}, {"src/git/credentials.go", "package git", ""},
		{"server.pem", key, "credential"}, {"server.key", certificate + key, "credential"}, {"cert.pem", certificate, ""}, {"keys.go", "package k\nconst k = `" + key + "`\n", ""}, {"api.key", "not a key\n", ""},
		{"package-lock.json", "{}", "lock"}, {"x/go.sum", "", "lock"}, {"Cargo.lock", "", "lock"}, {"poetry.lock", "", "lock"}, {"lock.go", "package l", ""},
		{"min.js", strings.Repeat(squeezed, 10), "minified"}, {"a.min.css", "/*! banner\n * two\n */\n" + strings.Repeat("a{b:c}", 20000) + "\n", "minified"}, {"app.js.map", `{"version":3,"mappings":"` + strings.Repeat("AAAA,", 40000) + `"}`, "minified"},
		{"small.min.js", squeezed, ""},
		{"short.js", "var a=1;" + strings.Repeat("x", 400), ""}, {"data.py", "def before():\n    return 1\n\nBLOB = \"" + strings.Repeat("A", 300000) + "\"\n\ndef after():\n    return 2\n", ""},
		{"data.js", strings.Repeat("export function one() {\n  return 1;\n}\n", 20) + "const d = '" + strings.Repeat("A", 30000) + "';\n", ""}, {"small.json", `{"a":"` + strings.Repeat("b", 2000) + `"}`, ""},
		{"tool.cs", "MZ\x00\x00", "binary"}, {"late.txt", strings.Repeat("a", 9000) + "\x00", "binary"}, {"big.go", strings.Repeat("a", 2001), "too_large"}, {"gone.go", "", "vanished"},
	} {
		o := Options{}
		if c.reason == "too_large" {
			o.MaxFileBytes = 2000
		}
		if c.reason != "vanished" {
			tr.write(c.name, c.content)
		}
		s, skip := tr.read(c.name, o)
		got := ""
		if skip != nil {
			got = string(skip.Reason)
		}
		if got != c.reason {
			t.Errorf("%s: %+v, want %q (class %b)", c.name, skip, c.reason, s.File.Class)
		}
		if c.reason == "too_large" && (skip.Size != 2001 || skip.Limit != 2000) {
			t.Errorf("%s: %+v", c.name, skip)
		}
		if strings.Contains(s.Text, "MIIEpAIB") {
			t.Errorf("%s: a key is left in %q", c.name, s.Text)
		}
	}
}

func TestReadMasks(t *testing.T) {
	tr := newTree(t)
	token := "gh" + "p_0123456789abcdefghijklmnopqrstuvwxyz"
	tr.write("app/settings.py", "def load():\n    token = '"+token+"'\n    max_tokens = 100\n    url = 'postgres://svc:fixturepass99@db.invalid/x'\n")
	s, _ := tr.read("app/settings.py", Options{})
	if s.File.Masked != 2 || strings.Contains(s.Text, token) || strings.Contains(s.Text, "fixturepass99") || !strings.Contains(s.Text, "max_tokens = 100") || strings.Count(s.Text, "\n") != 4 {
		t.Errorf("%d masked: %q", s.File.Masked, s.Text)
	}
}

// TestReadWhileAFileChanges checks that a text is always one whole version of a file.
func TestReadWhileAFileChanges(t *testing.T) {
	tr := newTree(t)
	tr.write("a.txt", strings.Repeat("0", 200000))
	w := tr.open("", Options{})
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			os.WriteFile(tr.path("new"), []byte(strings.Repeat(fmt.Sprint(i%10), 200000+i%7)), 0o644)
			os.Rename(tr.path("new"), tr.path("a.txt"))
			time.Sleep(time.Millisecond)
		}
	})
	for range 200 {
		s, skip, err := w.Read(context.Background(), Entry{Path: "a.txt"})
		if err != nil || skip != nil && skip.Reason != agenvantage.SkipVanished {
			t.Fatal(skip, err)
		}
		if skip == nil && (strings.Trim(s.Text, s.Text[:1]) != "" || int64(len(s.Text)) != s.File.Size) {
			t.Fatalf("mixed versions, %d bytes for a size of %d", len(s.Text), s.File.Size)
		}
	}
	close(stop)
	writer.Wait()
}

func TestReadIsConcurrent(t *testing.T) {
	tr := newTree(t)
	for i := range 60 {
		tr.write(fmt.Sprintf("f%d.txt", i), strings.Repeat(fmt.Sprintf("line of %d\n", i), 50+i))
	}
	l := tr.list("", Options{})
	w := tr.open("", Options{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, e := range l.Entries {
				s, skip, err := w.Read(context.Background(), e)
				if n := strings.TrimSuffix(strings.TrimPrefix(e.Path, "f"), ".txt"); err != nil || skip != nil || !strings.HasSuffix(s.Text, "line of "+n+"\n") {
					t.Errorf("%s: %v %v", e.Path, skip, err)
				}
			}
		})
	}
	all.Wait()
}
