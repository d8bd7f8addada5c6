// Package loopback tells hosts of this machine by their names.
package loopback

import "net/netip"

// Is reports whether a host, without a port and without brackets, is localhost or a literal address of the loopback. Names are not resolved:
// what one resolves to can change.
func Is(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}
