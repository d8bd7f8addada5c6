package loopback

import "testing"

func TestIs(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "127.8.8.8": true, "::1": true, "0:0:0:0:0:0:0:1": true, "::ffff:127.0.0.1": true,
		"": false, "localhost.example.com": false, "127.0.0.1.example.com": false, "128.0.0.1": false, "0.0.0.0": false, "::": false, "::2": false, "[::1]": false, "127.0.0.1:80": false,
		"2130706433": false, "0x7f.1": false,
	} {
		if Is(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}
