// SPDX-License-Identifier: Apache-2.0
// Machines: a TCP connection for each pair of ranks. The lower rank connects. What has come is read into a ring where it is to be
// reduced, and straight to where it belongs where it is not.
#include "nccl/link/link.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { RING = 256 << 10 };

struct net {
    struct link link;
    int fd; // -1 until it is made; 0 is never one of these
    bool open;
    bool connecting;
    size_t said; // of the hello
    struct watch *watch;
    uint64_t pushed, head, tail;
    char *ring;
};

static void ready(void *data, unsigned events)
{
    struct net *n = data;
    (void)events;
    engine_wake(n->link.engine);
}

static void lost(struct net *n)
{
    n->link.state = LINK_DEAD;
}

static bool begin_call(struct net *n)
{
    const union address *to = &n->link.engine->comm->peers[n->link.peer].address;
    n->fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    n->open = n->fd >= 0;
    if (!n->open)
        return false;
    net_prepare(n->fd);
    n->connecting = true;
    return !connect(n->fd, &to->any, net_length(to)) || errno == EINPROGRESS;
}

// False: it cannot be.
static bool call(struct net *n)
{
    if (!n->open && (!begin_call(n) || !(n->watch = watch_add(n->fd, ready, n))))
        return false;
    if (n->connecting) {
        struct pollfd p = {.fd = n->fd, .events = POLLOUT};
        int e = 0;
        socklen_t size = sizeof e;
        if (poll(&p, 1, 0) <= 0)
            return true;
        if (getsockopt(n->fd, SOL_SOCKET, SO_ERROR, &e, &size) || e)
            return false;
        n->connecting = false;
    }
    struct comm *c = n->link.engine->comm;
    struct hello hello = {c->nonce, c->rank, n->link.engine->channel};
    ssize_t k = send(n->fd, (char *)&hello + n->said, sizeof hello - n->said, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (k < 0 && errno != EAGAIN && errno != EINTR)
        return false;
    n->said += k > 0 ? (size_t)k : 0;
    if (n->said == sizeof hello)
        n->link.state = LINK_READY;
    return true;
}

static bool answer(struct net *n)
{
    int memory;
    enum link_state state = accept_take(&n->link, &n->fd, &memory);
    if (state != LINK_READY)
        return state == LINK_NEW;
    n->open = true;
    if (memory >= 0)
        close(memory);
    net_prepare(n->fd);
    n->watch = watch_add(n->fd, ready, n);
    n->link.state = LINK_READY;
    return n->watch;
}

static void net_connect(struct link *l)
{
    struct net *n = (struct net *)l;
    bool calls = l->engine->comm->rank < l->peer;
    if (!n->ring && !(n->ring = malloc(RING)))
        lost(n);
    else if (!(calls ? call(n) : answer(n)))
        lost(n);
}

static size_t net_push(struct link *l, const void *from, size_t bytes)
{
    struct net *n = (struct net *)l;
    ssize_t k = send(n->fd, from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (k < 0 && errno != EAGAIN && errno != EINTR)
        lost(n);
    n->pushed += k > 0 ? (size_t)k : 0;
    return k > 0 ? (size_t)k : 0;
}

static uint64_t net_drained(struct link *l)
{
    return ((struct net *)l)->pushed;
}

// Reads what there is room for: two stretches where the ring's end is between.
static void fill(struct net *n)
{
    size_t used = (size_t)(n->head - n->tail), at = n->head % RING, room = RING - used;
    size_t first = room < RING - at ? room : RING - at;
    struct iovec v[2] = {{n->ring + at, first}, {n->ring, room - first}};
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
    ssize_t k = room ? recvmsg(n->fd, &m, MSG_DONTWAIT) : 1;
    if (!room)
        return;
    if (k > 0)
        n->head += (size_t)k;
    else if (!used && (k == 0 || (errno != EAGAIN && errno != EINTR)))
        lost(n);
}

static size_t net_peek(struct link *l, const char **at)
{
    struct net *n = (struct net *)l;
    if (n->head - n->tail < RING / 4)
        fill(n);
    size_t have = (size_t)(n->head - n->tail), here = RING - n->tail % RING;
    *at = n->ring + n->tail % RING;
    return have < here ? have : here;
}

static void net_consume(struct link *l, size_t n)
{
    ((struct net *)l)->tail += n;
}

// The system cannot write there: memory that is not there faults here, as under a copy, and one that is being exchanged is waited for.
static void touch(volatile char *to, size_t bytes)
{
    const size_t page = 4096;
    for (size_t i = 0; i < bytes; i += page)
        to[i] = to[i];
    to[bytes - 1] = to[bytes - 1];
}

static size_t net_pull(struct link *l, char *to, size_t bytes)
{
    enum { LARGE = 16 << 10 };
    struct net *n = (struct net *)l;
    if (n->head == n->tail && bytes >= LARGE) {
        ssize_t k = recv(n->fd, to, bytes, MSG_DONTWAIT);
        if (k < 0 && errno == EFAULT) {
            touch(to, bytes);
            return 0;
        }
        if (k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR))
            lost(n);
        k = k > 0 ? k : 0;
        n->head += (size_t)k; // places in the ring are those in the stream, so that its end cuts no element
        n->tail += (size_t)k;
        return (size_t)k;
    }
    const char *from;
    size_t m = net_peek(l, &from);
    m = m < bytes ? m : bytes;
    if (m) {
        memcpy(to, from, m);
        net_consume(l, m);
    }
    return m;
}

ssize_t link_net_peek_end(struct link *l, char *c)
{
    return recv(((struct net *)l)->fd, c, 1, MSG_DONTWAIT | MSG_PEEK);
}

void link_net_finish(struct link *l)
{
    shutdown(((struct net *)l)->fd, SHUT_WR);
}

static void net_notify(struct link *l)
{
    (void)l;
}

static void net_arm(struct link *l, bool out)
{
    struct net *n = (struct net *)l;
    if (n->watch)
        watch_arm(n->watch, EPOLLIN | EPOLLRDHUP | (out || n->connecting ? EPOLLOUT : 0u));
}

static void net_close(struct link *l)
{
    struct net *n = (struct net *)l;
    probe_end(l);
    watch_remove(n->watch);
    if (n->open)
        close(n->fd);
    free(n->ring);
}

const struct link_kind link_net = {
    .name = "TCP",
    .bytes = sizeof(struct net),
    .pads = true,
    .connect = net_connect,
    .push = net_push,
    .drained = net_drained,
    .peek = net_peek,
    .consume = net_consume,
    .pull = net_pull,
    .notify = net_notify,
    .arm = net_arm,
    .close = net_close,
};
