// SPDX-License-Identifier: Apache-2.0
// Connections that lower ranks make. Each begins with a hello that says whose it is; what says anything else is closed. Who waits for one
// has a connection of its own to the other's socket meanwhile, of which nothing is wanted but its end when the other process ends.
#include "nccl/link/link.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static void ready(void *data, unsigned events)
{
    struct comm *c = data;
    (void)events;
    for (int i = 0; i < ENGINES; i++)
        engine_wake(&c->engines[i]);
}

static bool is_own_user(int fd)
{
    struct ucred who;
    socklen_t size = sizeof who;
    return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) && (who.uid == geteuid() || who.uid == 0);
}

static void drop(struct accepted **at)
{
    struct accepted *a = *at;
    *at = a->next;
    watch_remove(a->watch);
    close(a->fd);
    if (a->memory >= 0)
        close(a->memory);
    free(a);
}

static void take_new(struct comm *c, int listener, bool over_net)
{
    int fd;
    while (listener >= 0 && (fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
        struct accepted *a = over_net || is_own_user(fd) ? calloc(1, sizeof *a) : NULL;
        if (!a) {
            close(fd);
            continue;
        }
        a->fd = fd;
        a->memory = -1;
        a->over_net = over_net;
        a->next = c->accepted;
        c->accepted = a;
    }
}

// False: it is none of ours.
static bool hear(struct comm *c, struct accepted *a)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec data = {(char *)&a->hello + a->have, sizeof a->hello - a->have};
    struct msghdr m = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n = recvmsg(a->fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EINTR);
    for (struct cmsghdr *x = CMSG_FIRSTHDR(&m); x; x = CMSG_NXTHDR(&m, x))
        if (x->cmsg_level == SOL_SOCKET && x->cmsg_type == SCM_RIGHTS && a->memory < 0)
            memcpy(&a->memory, CMSG_DATA(x), sizeof a->memory);
    a->have += (size_t)n;
    a->known = a->have == sizeof a->hello;
    return !a->known ||
           (a->hello.nonce == c->nonce && a->hello.channel < ENGINES && a->hello.rank >= 0 && a->hello.rank < c->rank);
}

static void probe_ready(void *data, unsigned events)
{
    struct link *l = data;
    if (events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP))
        atomic_store(&l->hung, true);
    engine_wake(l->engine);
}

static void probe_begin(struct link *l)
{
    const struct peer *p = &l->engine->comm->peers[l->peer];
    l->probe_fd = l->kind->by_host ? net_call_host(p->token) : net_call(&p->address);
    if (l->probe_fd < 0) {
        if (errno != EAGAIN)
            atomic_store(&l->hung, true);
        return;
    }
    l->probe = watch_add(l->probe_fd, probe_ready, l);
    if (l->probe)
        watch_arm(l->probe, EPOLLRDHUP);
    else
        close(l->probe_fd);
}

void probe_end(struct link *l)
{
    if (!l->probe)
        return;
    watch_remove(l->probe);
    close(l->probe_fd);
    l->probe = NULL;
}

static bool find(struct comm *c, const struct link *l, int *fd, int *memory)
{
    for (struct accepted **at = &c->accepted, *a; (a = *at);) {
        if (!a->known && !hear(c, a)) {
            drop(at);
            continue;
        }
        if (a->known && a->hello.rank == l->peer && a->hello.channel == l->engine->channel) {
            *fd = a->fd;
            *memory = a->memory;
            *at = a->next;
            watch_remove(a->watch);
            free(a);
            return true;
        }
        if (!a->known && !a->watch)
            a->watch = watch_add(a->fd, ready, c);
        if (!a->known && a->watch)
            watch_arm(a->watch, EPOLLIN);
        at = &a->next;
    }
    return false;
}

enum link_state accept_take(struct link *l, int *fd, int *memory)
{
    struct comm *c = l->engine->comm;
    bool hung = atomic_load(&l->hung); // what it did before that has come
    pthread_mutex_lock(&c->accept_lock);
    take_new(c, c->listen_host, false);
    take_new(c, c->listen_net, true);
    bool found = find(c, l, fd, memory);
    pthread_mutex_unlock(&c->accept_lock);
    if (found) {
        probe_end(l);
        atomic_store(&l->hung, false);
    } else if (!l->probe && !hung) {
        probe_begin(l);
    }
    return found ? LINK_READY : hung ? LINK_DEAD : LINK_NEW;
}

void accept_arm(struct comm *c)
{
    if (c->watch_net)
        watch_arm(c->watch_net, EPOLLIN);
    if (c->watch_host)
        watch_arm(c->watch_host, EPOLLIN);
}

ncclResult_t accept_begin(struct comm *c)
{
    if (c->listen_net >= 0)
        c->watch_net = watch_add(c->listen_net, ready, c);
    if (c->listen_host >= 0)
        c->watch_host = watch_add(c->listen_host, ready, c);
    bool ok = (c->listen_net < 0 || c->watch_net) && (c->listen_host < 0 || c->watch_host);
    return ok ? ncclSuccess : ncclSystemError;
}

void accept_end(struct comm *c)
{
    watch_remove(c->watch_net);
    watch_remove(c->watch_host);
    c->watch_net = c->watch_host = NULL;
    while (c->accepted)
        drop(&c->accepted);
    if (c->listen_net >= 0)
        close(c->listen_net);
    if (c->listen_host >= 0)
        close(c->listen_host);
    c->listen_net = c->listen_host = -1;
}
