package redact

import "testing"

// TestPasswordsByTheirPlaceAreMasked were stored as they stand: calls, addresses and headers in which nothing names the password.
func TestPasswordsByTheirPlaceAreMasked(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"php", `new mysqli("localhost", "root", "hunter22", "shop")`, `new mysqli("localhost", "root", "[masked password]", "shop")`},
		{"php", `mysqli_connect($host, "root", "hunter22")`, `mysqli_connect($host, "root", "[masked password]")`},
		{"php", `mysqli_real_connect($l, $host, "root", "hunter22", "shop")`, `mysqli_real_connect($l, $host, "root", "[masked password]", "shop")`},
		{"php", `new PDO("mysql:host=db", 'root', 'hunter22', [1])`, `new PDO("mysql:host=db", 'root', '[masked password]', [1])`},
		{"csharp", `new NetworkCredential("me", "hunter22")`, `new NetworkCredential("me", "[masked password]")`},
		{"java", `new UsernamePasswordCredentials("me", "hunter22")`, `new UsernamePasswordCredentials("me", "[masked password]")`},
		{"python", `conn.simple_bind_s("cn=me", "hunter22")`, `conn.simple_bind_s("cn=me", "[masked password]")`},
		{"python", `ldap_bind(user, 'Wq0Lp3Ns8Zr1')`, `ldap_bind(user, '[masked password]')`},
		{"python", `connect('db', f(1, 2), 'Zz11Xx22Cc33')`, `connect('db', f(1, 2), '[masked password]')`},
		{"json", `"conn = connect('db', 'root', 'Zz11Xx22Cc33')\n",`, `"conn = connect('db', 'root', '[masked password]')\n",`},
		{"javascript", "await client.login(\"bob\",\n  \"Cv32Bn65Mko1\")", "await client.login(\"bob\",\n  \"[masked password]\")"},
		{"python", `creds = ("admin", "Zp0o9i8u7y6t")`, `creds = ("admin", "[masked password]")`},
		{"python", `login(user="admin", pw="hunter2LB5Lz")`, `login(user="admin", pw="[masked password]")`},
		{"yaml", `basic_auth: "joe:hunter22"`, `basic_auth: "joe:[masked password]"`},
		{"php", `curl_setopt($c, CURLOPT_USERPWD, "joe:hunter22");`, `curl_setopt($c, CURLOPT_USERPWD, "joe:[masked password]");`},
		{"javascript", `get(url, {auth: 'joe:Uu12Ii34Oo56'})`, `get(url, {auth: 'joe:[masked password]'})`},
		{"go", `var dsn = "root:hunter22@tcp(10.0.0.3:3306)/shop?parseTime=true"`, `var dsn = "root:[masked password]@tcp(10.0.0.3:3306)/shop?parseTime=true"`},
		{"ini", `DSN=root:swordfish@unix(/run/db.sock)/shop`, `DSN=root:[masked password]@unix(/run/db.sock)/shop`},
		{"go", `"root:a:b2c3d4@tcp(db)/"`, `"root:[masked password]@tcp(db)/"`},
		{"go", `sql.Open("mysql", "shop:xK9mW2pL5q@/shop")`, `sql.Open("mysql", "shop:[masked password]@/shop")`},
		{"java", `"jdbc:oracle:thin:scott/eRo7qYYOLQ@//db:1521/x"`, `"jdbc:oracle:thin:scott/[masked password]@//db:1521/x"`},
		{"ini", `url=jdbc:oracle:thin:scott/hunter22@db:1521:x`, `url=jdbc:oracle:thin:scott/[masked password]@db:1521:x`},
		{"", "Cookie: theme=dark; session=kSt5bcuYdswxBjpHAKRYlklfN3yNRpF6", "Cookie: theme=dark; session=[masked secret]"},
		{"", "Set-Cookie: sessionid=kSt5bcuYdswxBjpHAKRYlklfN3yNRpF7; HttpOnly; Path=/", "Set-Cookie: sessionid=[masked secret]; HttpOnly; Path=/"},
		{"", "Cookie: Secure; a=b; connect.sid=s%3AkSt5bcuYdswxBjpHAKRYlklf.N3yNRpF6", "Cookie: Secure; a=b; connect.sid=[masked secret]"},
		{"python", `{"Cookie": f"PHPSESSID=kSt5bcuYdswxBjpHAKRYlklfN3"}`, `{"Cookie": f"PHPSESSID=[masked secret]"}`},
		{"python", `get(u, cookies={"theme": "dark", "sessionid": "kSt5bcuYdswxBjpHAKRYlklfN3"})`, `get(u, cookies={"theme": "dark", "sessionid": "[masked secret]"})`},
		{"bash", `curl --cookie 'session=kSt5bcuYdswxBjpHAKRYlklfN3' x.io`, `curl --cookie 'session=[masked secret]' x.io`},
		{"javascript", `document.cookie = "auth_token=kSt5bcuYdswxBjpHAKRYlklfN3; path=/"`, `document.cookie = "auth_token=[masked secret]; path=/"`},
	} {
		checkMask(t, c.lang, c.in, c.want)
	}
}

// What stands at such places, and is none, stays.
func TestArgumentsAndCookiesStay(t *testing.T) {
	for _, c := range []struct{ lang, in string }{
		{"php", `new mysqli("localhost", "root", "", "shop1234")`},
		{"php", `new mysqli("localhost", "root", "password", "shop1234")`},
		{"php", `new mysqli("localhost", "root", $password1, "shop1234")`},
		{"php", `new mysqli("localhost", "root", "a" . "hunter22", "shop")`},
		{"php", `new PDO("sqlite:a1b2c3.db")`},
		{"python", `connect("db", "root", "database2")`},
		{"python", `connect("db", "Zz11Xx22Cc33", port)`},
		{"python", `connect("Zz11Xx22Cc33")`},
		{"javascript", `connect(mapState, 'Zz11Xx22Cc33' + x)(App)`},
		{"javascript", "login('bob', () => { return 'Zz11Xx22Cc33' })"},
		{"javascript", `login('bob', 'Password1')`},
		{"javascript", `plugin('bob', 'Zz11Xx22Cc33')`},
		{"markdown", "For credentials (`http-basic.*`, `pypi-token.*`), see below"},
		{"python", `creds = ("user", "password")`},
		{"python", `creds = (user, password1)`},
		{"go", `pw := "utf8mb4"`},
		{"yaml", `basic_auth: "${USER}:${PASSWORD1}"`},
		{"yaml", `basic_auth: "joe:changeme"`},
		{"yaml", `auth: "http://Uu12Ii34Oo56"`},
		{"yaml", `auth: "basic:v2"`},
		{"go", `"user:password@tcp(localhost:5555)/dbname"`},
		{"go", `"%s:%s@tcp(%s)/%s"`},
		{"go", `"$USER:${PASSWORD1}@tcp(db)/x"`},
		{"go", `"me@tcp(db)/a1b2c3"`},
		{"javascript", `import x from "@/components/a1b2c3"; import y from "a:b@/c1"`},
		{"java", `"jdbc:oracle:thin:@//db:1521/x1y2z3"`},
		{"java", `"jdbc:oracle:thin:scott/tiger@//db:1521/x"`},
		{"java", `"jdbc:oracle:thin:scott/${PASSWORD1}@//db:1521/x"`},
		{"", "something thin:scott/eRo7qYYOLQ@db"},
		{"", "Cookie: session=abc123"},
		{"", "Cookie: theme=kSt5bcuYdswxBjpHAKRYlklfN3"},
		{"", "Set-Cookie: session=<session-token-of-the-user>; Expires=Wed, 21 Oct 2026 07:28:00 GMT"},
		{"", "Cookie: session=$SESSION_TOKEN_2; sid={{ session_id_1 }}"},
		{"", "the cookie session=kSt5bcuYdswxBjpHAKRYlklfN3 is old"},
		{"go", `http.Cookie{Name: "session_token_of_user_1"}`},
		{"python", `cookies = {"session": get("kSt5bcuYdswxBjpHAKRYlklfN3")}`},
	} {
		checkMask(t, c.lang, c.in, c.in)
	}
}

// TestExampleAccountsWereMasked hid what tests assert: words of examples for the machine itself, and the account of RFC 7617.
func TestExampleAccountsWereMasked(t *testing.T) {
	for _, in := range []string{
		"`http://hello:world@localhost:${port}/`", "'http://evil:hacker@localhost'", "'http://old-user:old-password@127.0.0.1:80/'", "'https://alice:guest@api.example.com/x'",
		"'Basic aGVsbG86d29ybGQ='", "'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='", "'Basic bmV3LXVzZXI6bmV3LXBhc3N3b3Jk'",
	} {
		checkMask(t, "typescript", in, in)
	}
	for _, c := range []struct{ in, want string }{
		{"'http://hello:world@corp.io'", "'http://hello:****@corp.io'"},                         // anybody's host
		{"'http://hello:swordfish@localhost'", "'http://hello:****@localhost'"},                 // a word, but of no example
		{"'http://shop:world@localhost'", "'http://shop:****@localhost'"},                       // an account of its own
		{"'http://hello:world1@localhost'", "'http://hello:****@localhost'"},                    // not the word
		{"'http://hello:world@localhost.io'", "'http://hello:****@localhost.io'"},               // another host
		{"'http://hello:world@notexample.com'", "'http://hello:****@notexample.com'"},           // another domain
		{"'Basic aGVsbG86c3dvcmRmaXNo'", "'Basic [masked authorization]'"},                      // hello:swordfish
		{"'Basic c2hvcDp3b3JsZA=='", "'Basic [masked authorization]'"},                          // shop:world
		{"'Basic b2xkLXVzZXI6b2xkLXNoaXA='", "'Basic [masked authorization]'"},                  // old-user:old-ship
		{"'postgres://root:root2@localhost/x'", "'postgres://root:****@localhost/x'"},           // a digit more
		{"'postgres://root:rosebud@127.0.0.1/x'", "'postgres://root:****@127.0.0.1/x'"},         // a database of one's own
		{"'postgres://-:admin@localhost/x'", "'postgres://-:****@localhost/x'"},                 // no user
		{"'postgres://root:ROSEBUD@db.test/x'", "'postgres://root:****@db.test/x'"},             // capitals
		{"'postgres://root:old-rosebud@db.test/x'", "'postgres://root:****@db.test/x'"},         // one part is no example
		{"'postgres://root:guest@example.com.io/x'", "'postgres://root:****@example.com.io/x'"}, // ends otherwise
	} {
		checkMask(t, "typescript", c.in, c.want)
	}
	plural := "Values such as username and password are\n``unicode``. The password is ``swordfish``."
	checkMask(t, "rst", plural, "Values such as username and password are\n``unicode``. The password is ``[masked password]``.")
}
