// SPDX-License-Identifier: Apache-2.0
// Processes of one machine: memory without a name that both have mapped, a ring of bytes each way, small enough to stay in a core's
// second cache. It comes over a socket of the machine, which is also the bell for a side that sleeps, and whose end is that
// of the process at the other side. Nothing is left behind when processes die: there is no name that could be.
#include "nccl/link/link.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RING = 256 << 10 };

struct ring {
    _Alignas(128) atomic_ullong head; // bytes ever put in, by the sender
    _Alignas(128) atomic_ullong tail; // taken out, by the receiver
    _Alignas(128) char data[RING];
};
struct region {
    _Alignas(128) atomic_uint asleep[2]; // of the lower rank's side, of the higher one's
    struct ring ring[2];                 // from it
};

struct host {
    struct link link;
    int fd;
    bool open; // fd is one, or -1
    int side;
    struct region *region;
    struct watch *watch;
};

static void ready(void *data, unsigned events)
{
    struct host *h = data;
    char bells[64];
    ssize_t n;
    while ((n = recv(h->fd, bells, sizeof bells, MSG_DONTWAIT)) > 0)
        ;
    if (events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP) || n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        atomic_store(&h->link.hung, true);
    engine_wake(h->link.engine);
}

static bool map(struct host *h, int memory)
{
    struct stat s;
    if (fstat(memory, &s) || (size_t)s.st_size < sizeof(struct region))
        return false;
    void *at = mmap(NULL, sizeof(struct region), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    h->region = at == MAP_FAILED ? NULL : at;
    return h->region;
}

static bool send_hello(struct host *h, int memory)
{
    struct comm *c = h->link.engine->comm;
    struct hello hello = {c->nonce, c->rank, h->link.engine->channel};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec data = {&hello, sizeof hello};
    struct msghdr m = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *x = CMSG_FIRSTHDR(&m);
    x->cmsg_level = SOL_SOCKET;
    x->cmsg_type = SCM_RIGHTS;
    x->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(x), &memory, sizeof memory);
    return sendmsg(h->fd, &m, MSG_NOSIGNAL) == (ssize_t)sizeof hello;
}

// The lower rank: memory, a connection, and the memory over it.
static enum link_state call(struct host *h)
{
    struct comm *c = h->link.engine->comm;
    h->fd = net_call_host(c->peers[h->link.peer].token);
    if (h->fd < 0)
        return errno == EAGAIN ? LINK_NEW : LINK_DEAD; // it has not accepted others yet
    int memory = memfd_create("heddle-nccl", MFD_CLOEXEC);
    bool ok = memory >= 0 && !ftruncate(memory, sizeof(struct region)) && map(h, memory) && send_hello(h, memory);
    if (memory >= 0)
        close(memory);
    return ok ? LINK_READY : LINK_DEAD;
}

static enum link_state answer(struct host *h)
{
    int memory;
    enum link_state state = accept_take(&h->link, &h->fd, &memory);
    if (state != LINK_READY)
        return state;
    bool ok = memory >= 0 && map(h, memory);
    if (memory >= 0)
        close(memory);
    return ok ? LINK_READY : LINK_DEAD;
}

static void host_connect(struct link *l)
{
    struct host *h = (struct host *)l;
    h->fd = -1;
    h->open = true;
    h->side = l->engine->comm->rank > l->peer;
    l->state = h->side ? answer(h) : call(h);
    if (l->state == LINK_READY && !(h->watch = watch_add(h->fd, ready, h)))
        l->state = LINK_DEAD;
}

static size_t host_push(struct link *l, const void *from, size_t n)
{
    struct host *h = (struct host *)l;
    struct ring *r = &h->region->ring[h->side];
    uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
    uint64_t used = head - atomic_load_explicit(&r->tail, memory_order_acquire);
    size_t room = used < RING ? RING - (size_t)used : 0, at = head % RING;
    n = n < room ? n : room;
    n = n < RING - at ? n : RING - at;
    if (n) {
        memcpy(r->data + at, from, n);
        atomic_store_explicit(&r->head, head + n, memory_order_release);
    } else if (atomic_load(&l->hung)) {
        l->state = LINK_DEAD;
    }
    return n;
}

static uint64_t host_drained(struct link *l)
{
    struct host *h = (struct host *)l;
    return atomic_load_explicit(&h->region->ring[h->side].head, memory_order_relaxed);
}

static size_t host_peek(struct link *l, const char **at)
{
    struct host *h = (struct host *)l;
    struct ring *r = &h->region->ring[!h->side];
    uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    bool hung = atomic_load(&l->hung); // before the count, which does not grow after it
    uint64_t have = atomic_load_explicit(&r->head, memory_order_acquire) - tail;
    size_t here = RING - tail % RING;
    *at = r->data + tail % RING;
    if (have > RING || (!have && hung)) // the other side has written nonsense, or has gone
        l->state = LINK_DEAD;
    return l->state == LINK_DEAD ? 0 : have < here ? (size_t)have : here;
}

static void host_consume(struct link *l, size_t n)
{
    struct host *h = (struct host *)l;
    atomic_fetch_add_explicit(&h->region->ring[!h->side].tail, n, memory_order_release);
}

static size_t host_pull(struct link *l, char *to, size_t n)
{
    const char *from;
    size_t m = host_peek(l, &from);
    m = m < n ? m : n;
    if (m) {
        memcpy(to, from, m);
        host_consume(l, m);
    }
    return m;
}

// As in direct.c: the flag and what it is about cannot both be missed.
static void host_notify(struct link *l)
{
    struct host *h = (struct host *)l;
    atomic_uint *asleep = &h->region->asleep[!h->side];
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(asleep, memory_order_relaxed) && atomic_exchange(asleep, 0))
        send(h->fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void host_arm(struct link *l, bool out)
{
    struct host *h = (struct host *)l;
    (void)out;
    atomic_store(&h->region->asleep[h->side], 1);
    atomic_thread_fence(memory_order_seq_cst);
    watch_arm(h->watch, EPOLLIN | EPOLLRDHUP);
}

static void host_close(struct link *l)
{
    struct host *h = (struct host *)l;
    probe_end(l);
    watch_remove(h->watch);
    if (h->region)
        munmap(h->region, sizeof *h->region);
    if (h->open && h->fd >= 0)
        close(h->fd);
}

const struct link_kind link_host = {
    .name = "memory of the machine",
    .bytes = sizeof(struct host),
    .pads = true,
    .by_host = true,
    .connect = host_connect,
    .push = host_push,
    .drained = host_drained,
    .peek = host_peek,
    .consume = host_consume,
    .pull = host_pull,
    .notify = host_notify,
    .arm = host_arm,
    .close = host_close,
};
