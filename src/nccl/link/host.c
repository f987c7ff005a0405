// SPDX-License-Identifier: Apache-2.0
// Processes of one machine: memory without a name that both have mapped, a ring of bytes each way, small enough to stay in a core's
// second cache. It comes over a socket of the machine, which is also the bell for a side that sleeps, and whose end is that
// of the process at the other side. Nothing is left behind when processes die: there is no name that could be.
//
// What is long and lies in memory that the receiver can map does not go through the ring: the sender names it, and the receiver reads it there (peer.h).
// Bytes of both kinds are one
// stream. A name says where in the stream it begins; what lies before it is in the ring. Names have whole multiples of FLOW_ALIGN, so that elements lie
// aligned in the ring behind them too. Memory that was named must stay as it is until the receiver has read it, which host_drained() tells the
// sender; a sender that ends before that says so (`closed`) before its memory is anybody else's, and what was read is then not used.
#include "nccl/link/link.h"
#include "nccl/link/peer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// What is copied at once; from how much on memory is named.
enum { RING = 256 << 10, QUANTUM = 64 << 10, NAMES = 16, NAMED_LEAST = 32 << 10 };

struct ring {
    _Alignas(128) atomic_ullong head; // bytes ever put in, by the sender
    _Alignas(128) atomic_ullong tail; // taken out, by the receiver
    // The same for names; `read`: how far the receiver has come in the stream, by names.
    _Alignas(128) atomic_uint named;
    _Alignas(128) atomic_uint taken;
    atomic_ullong read;
    struct peer_name names[NAMES];
    _Alignas(128) char data[RING];
};
struct region {
    _Alignas(128) atomic_uint asleep[2]; // of the lower rank's side, of the higher one's
    struct ring ring[2];                 // from it
    struct peer_self self[2];
    atomic_uint known[2];  // self is there
    atomic_uint can[2];    // that side can map memory of the other one
    atomic_uint closed[2]; // it has ended
};

struct host {
    struct link link;
    int fd;
    bool open; // fd is one, or -1
    int side;
    struct region *region;
    struct watch *watch;
    uint64_t pushed, pulled; // places in the streams
    bool tried;              // whether memory of the other side can be mapped
    struct peer_self other;  // known once it is tried
    struct peer_view *views;
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

static void introduce(struct host *h)
{
    h->region->self[h->side] = peer_self_of(h->fd);
    atomic_store_explicit(&h->region->known[h->side], 1, memory_order_release);
}

// As soon as the other side has said who it is.
static void try_other(struct host *h)
{
    struct region *r = h->region;
    if (h->tried || !atomic_load_explicit(&r->known[!h->side], memory_order_acquire))
        return;
    h->tried = true;
    h->other = r->self[!h->side];
    bool can = !link_is_disabled("NCCL_P2P_DISABLE") && peer_try(&h->other);
    message_note("rank %d: memory of rank %d %s", h->link.engine->comm->rank, h->link.peer,
                 can ? "can be mapped" : "comes through a ring");
    atomic_store_explicit(&r->can[h->side], can, memory_order_release);
}

static void host_connect(struct link *l)
{
    struct host *h = (struct host *)l;
    h->fd = -1;
    h->open = true;
    h->side = l->engine->comm->rank > l->peer;
    l->state = h->side ? answer(h) : call(h);
    if (l->state == LINK_READY)
        introduce(h);
    if (l->state == LINK_READY && !(h->watch = watch_add(h->fd, ready, h)))
        l->state = LINK_DEAD;
}

// Gives the memory a name for the other side; how many bytes of it, 0: they must be copied, or (*full) wait.
static size_t push_name(struct host *h, const char *from, size_t n, bool *full)
{
    struct ring *r = &h->region->ring[h->side];
    unsigned named = atomic_load_explicit(&r->named, memory_order_relaxed);
    struct native_file file;
    *full = false;
    if (n < NAMED_LEAST || !atomic_load_explicit(&h->region->can[!h->side], memory_order_acquire) ||
        !library_file(from, 0, &file))
        return 0;
    n = n < file.left ? n : (size_t)file.left;
    n -= n % FLOW_ALIGN;
    *full = n && named - atomic_load_explicit(&r->taken, memory_order_acquire) == NAMES;
    if (!n || *full)
        return 0;
    r->names[named % NAMES] = (struct peer_name){h->pushed, n, file.inode, file.offset, file.fd};
    atomic_store_explicit(&r->named, named + 1, memory_order_release);
    return n;
}

static size_t host_push(struct link *l, const void *from, size_t n)
{
    struct host *h = (struct host *)l;
    struct ring *r = &h->region->ring[h->side];
    uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
    uint64_t used = head - atomic_load_explicit(&r->tail, memory_order_acquire);
    size_t room = used < RING ? RING - (size_t)used : 0, at = head % RING;
    bool full;
    size_t k = push_name(h, from, n, &full);
    if (k) {
        h->pushed += k;
        return k;
    }
    room = full ? 0 : room;
    n = n < room ? n : room;
    n = n < RING - at ? n : RING - at;
    n = n < QUANTUM ? n : QUANTUM;
    h->pushed += n;
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
    struct ring *r = &h->region->ring[h->side];
    bool hung = atomic_load(&l->hung); // before the count, which does not grow after it
    unsigned taken = atomic_load_explicit(&r->taken, memory_order_acquire);
    if (taken == atomic_load_explicit(&r->named, memory_order_relaxed))
        return h->pushed;
    if (hung)
        l->state = LINK_DEAD;
    uint64_t start = r->names[taken % NAMES].start, read = atomic_load_explicit(&r->read, memory_order_acquire);
    return read > start ? read : start;
}

// The name whose turn it is in the stream, or how many bytes the ring has before the next one; NULL: none.
static const struct peer_name *name_now(struct host *h, uint64_t *before)
{
    struct ring *r = &h->region->ring[!h->side];
    unsigned taken = atomic_load_explicit(&r->taken, memory_order_relaxed);
    *before = UINT64_MAX;
    if (atomic_load_explicit(&r->named, memory_order_acquire) == taken)
        return NULL;
    const struct peer_name *n = &r->names[taken % NAMES];
    if (h->pulled >= n->start)
        return n;
    *before = n->start - h->pulled;
    return NULL;
}

static size_t name_peek(struct host *h, const struct peer_name *n, const char **at)
{
    const char *map = peer_map(&h->views, &h->other, n);
    if (!map) {
        h->link.state = LINK_DEAD;
        return 0;
    }
    *at = map + (h->pulled - n->start);
    return (size_t)(n->start + n->bytes - h->pulled);
}

// n bytes of it were used. What a sender that has ended left in its memory counts for nothing.
static void name_consume(struct host *h, const struct peer_name *x, size_t n)
{
    struct ring *r = &h->region->ring[!h->side];
    h->pulled += n;
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&h->region->closed[!h->side]))
        h->link.state = LINK_DEAD;
    atomic_store_explicit(&r->read, h->pulled, memory_order_release);
    if (h->pulled == x->start + x->bytes)
        atomic_fetch_add_explicit(&r->taken, 1, memory_order_release);
}

static size_t host_peek(struct link *l, const char **at)
{
    struct host *h = (struct host *)l;
    struct ring *r = &h->region->ring[!h->side];
    uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed), before;
    bool hung = atomic_load(&l->hung); // before the count, which does not grow after it
    uint64_t have = atomic_load_explicit(&r->head, memory_order_acquire) - tail;
    size_t here = RING - tail % RING;
    const struct peer_name *name =
        name_now(h, &before); // after the ring's count: a name that lies before its bytes is seen
    if (!h->tried)
        try_other(h);
    if (name)
        return name_peek(h, name, at);
    *at = r->data + tail % RING;
    here = here < before ? here : (size_t)before;
    if (have > RING || (!have && hung)) // the other side has written nonsense, or has gone
        l->state = LINK_DEAD;
    return l->state == LINK_DEAD ? 0 : have < here ? (size_t)have : here;
}

static void host_consume(struct link *l, size_t n)
{
    struct host *h = (struct host *)l;
    uint64_t before;
    const struct peer_name *name = name_now(h, &before);
    if (name) {
        name_consume(h, name, n);
        return;
    }
    h->pulled += n;
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
        atomic_store(&h->region->closed[h->side], 1);
    peer_forget(&h->views);
    if (h->region)
        munmap(h->region, sizeof *h->region);
    if (h->open && h->fd >= 0)
        close(h->fd);
}

const struct link_kind link_host = {
    .name = "memory of the machine",
    .bytes = sizeof(struct host),
    .pads = true,
    .by_address = true,
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
