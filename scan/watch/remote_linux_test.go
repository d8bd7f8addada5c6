package watch

import "testing"

func TestRemoteTypes(t *testing.T) {
	for magic, want := range map[uint32]string{0x6969: "NFS", 0x01021997: "9p (a WSL or virtual machine mount)", 0xef53 /* ext4 */ : "", 0x01021994 /* tmpfs */ : ""} {
		if got, remote := remoteType(magic); got != want || remote != (want != "") {
			t.Errorf("%#x is %q, %v; want %q", magic, got, remote, want)
		}
	}
}
