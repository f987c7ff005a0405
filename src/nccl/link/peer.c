// SPDX-License-Identifier: Apache-2.0
// See peer.h.
#include "nccl/link/peer.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct peer_self peer_self_of(int fd)
{
    struct stat s;
    bool known = !fstat(fd, &s);
    return (struct peer_self){getpid(), fd, known ? s.st_ino : 0};
}

static void path_of(char path[64], const struct peer_self *other, int fd)
{
    snprintf(path, 64, "/proc/%d/fd/%d", (int)other->pid, fd);
}

static bool is_file(const struct peer_self *other, int fd, uint64_t inode)
{
    char path[64];
    struct stat s;
    path_of(path, other, fd);
    return !stat(path, &s) && s.st_ino == inode;
}

bool peer_try(const struct peer_self *other)
{
    return other->inode && is_file(other, other->fd, other->inode);
}

static void view_free(struct peer_view *v)
{
    munmap((void *)(uintptr_t)v->map, v->size);
    free(v);
}

void peer_forget(struct peer_view **views)
{
    for (struct peer_view *v; (v = *views);) {
        *views = v->next;
        view_free(v);
    }
}

// Files that the other side has given up.
static void drop_old(struct peer_view **views, const struct peer_self *other)
{
    for (struct peer_view **at = views, *v; (v = *at);) {
        if (is_file(other, v->fd, v->inode)) {
            at = &v->next;
        } else {
            *at = v->next;
            view_free(v);
        }
    }
}

static struct peer_view *view_make(const struct peer_self *other, const struct peer_name *n)
{
    char path[64];
    struct stat s;
    path_of(path, other, n->fd);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct peer_view *v = !fstat(fd, &s) && s.st_ino == n->inode ? calloc(1, sizeof *v) : NULL;
    void *map = v ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    if (map == MAP_FAILED) {
        free(v);
        return NULL;
    }
    *v = (struct peer_view){.inode = n->inode, .fd = n->fd, .map = map, .size = (size_t)s.st_size};
    return v;
}

const char *peer_map(struct peer_view **views, const struct peer_self *other, const struct peer_name *n)
{
    struct peer_view *v = *views;
    while (v && (v->inode != n->inode || v->fd != n->fd))
        v = v->next;
    if (!v) {
        drop_old(views, other);
        v = view_make(other, n);
        if (!v)
            return NULL;
        v->next = *views;
        *views = v;
    }
    bool inside = n->offset <= v->size && n->bytes <= v->size - n->offset;
    return inside ? v->map + n->offset : NULL;
}
