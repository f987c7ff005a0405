// SPDX-License-Identifier: Apache-2.0
// Memory of another process of this machine, mapped here; private to host.c.
//
// Device memory that is a part of a file (driver/native.h) is mapped from the other process's descriptor, which /proc has. The mappings are kept: a
// file is known by its inode, and the side that names it has made sure that the memory is still that file's. Those whose file the other side has
// given up are dropped when a new one comes, and all with the link.
#ifndef HEDDLE_NCCL_LINK_PEER_H
#define HEDDLE_NCCL_LINK_PEER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a side tells the other one: enough to try whether its descriptors can be opened.
struct peer_self {
    int32_t pid, fd; // a descriptor of it, and its inode
    uint64_t inode;
};

struct peer_name {
    uint64_t start; // in the link's stream of bytes
    uint64_t bytes;
    uint64_t inode, offset;
    int32_t fd;
};

struct peer_view { // a file that is mapped
    struct peer_view *next;
    uint64_t inode;
    int fd;
    const char *map;
    size_t size;
};

struct peer_self peer_self_of(int fd);
bool peer_try(const struct peer_self *other);
// The name's memory as it is mapped here; NULL: it cannot be.
const char *peer_map(struct peer_view **views, const struct peer_self *other, const struct peer_name *n);
void peer_forget(struct peer_view **views);
#endif
