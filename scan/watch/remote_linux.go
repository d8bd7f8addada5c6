package watch

import "golang.org/x/sys/unix"

// remoteTypes are the file systems on which somebody else can change files without this kernel hearing of it: their magic
// numbers as statfs(2) gives them. 9p is how WSL 2 mounts the drives of Windows. FUSE may be local, but sshfs and the shared
// folders of containers look the same.
var remoteTypes = map[uint32]string{
	unix.NFS_SUPER_MAGIC:  "NFS",
	unix.SMB_SUPER_MAGIC:  "SMB",
	unix.CIFS_SUPER_MAGIC: "CIFS",
	unix.SMB2_SUPER_MAGIC: "SMB",
	unix.V9FS_MAGIC:       "9p (a WSL or virtual machine mount)",
	unix.FUSE_SUPER_MAGIC: "FUSE",
	unix.AFS_SUPER_MAGIC:  "AFS",
	unix.AFS_FS_MAGIC:     "AFS",
	unix.CODA_SUPER_MAGIC: "Coda",
	unix.CEPH_SUPER_MAGIC: "Ceph",
	unix.NCP_SUPER_MAGIC:  "NCP",
	0x0bd00bd0:            "Lustre",
	0x01161970:            "GFS2",
	0x7461636f:            "OCFS2",
	0x786f4256:            "a VirtualBox shared folder",
	0xbacbacbc:            "a VMware shared folder",
	0x53464846:            "a WSL 1 mount",
}

// remoteFileSystem names the file system of a folder when its events cannot be trusted.
func remoteFileSystem(folder string) (name string, remote bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return "", false
	}
	return remoteType(uint32(s.Type))
}

func remoteType(magic uint32) (name string, remote bool) {
	name, remote = remoteTypes[magic]
	return name, remote
}
