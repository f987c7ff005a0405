// SPDX-License-Identifier: Apache-2.0
// Machines with a fabric: UCX's streams carry the data (InfiniBand, RoCE, TCP where there is no fabric). The library is opened when it is
// first wanted; a build without its header has none of this. Both ends make a TCP connection first, as net.c does, tell each other
// over it how their UCX workers are reached, and keep it: its end is the end of the process at the other side.
//
// What UCX has sent may come after that end: so a link is dead only when nothing has come for a while after it, and who closes waits for the
// other side to close as well, for a while.
#include "nccl/link/link.h"
#if __has_include(<ucp/api/ucp.h>)
#include "base/log.h"
#include "base/os.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <ucp/api/ucp.h>
#include <unistd.h>

#define FUNCTIONS(X)                                                                                                   \
    X(ucp_init_version)                                                                                                \
    X(ucp_config_read)                                                                                                 \
    X(ucp_config_release)                                                                                              \
    X(ucp_worker_create)                                                                                               \
    X(ucp_worker_destroy)                                                                                              \
    X(ucp_worker_get_address)                                                                                          \
    X(ucp_worker_release_address)                                                                                      \
    X(ucp_worker_progress)                                                                                             \
    X(ucp_worker_get_efd)                                                                                              \
    X(ucp_worker_arm)                                                                                                  \
    X(ucp_ep_create)                                                                                                   \
    X(ucp_ep_close_nb)                                                                                                 \
    X(ucp_stream_send_nbx)                                                                                             \
    X(ucp_stream_recv_data_nb)                                                                                         \
    X(ucp_stream_data_release)                                                                                         \
    X(ucp_request_check_status)                                                                                        \
    X(ucp_request_free)

static struct {
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
    ucp_context_h context; // NULL: there is no UCX
} ucx;
static pthread_once_t once = PTHREAD_ONCE_INIT;

enum { RING = 256 << 10, SENDS = 8, SMALL = 64, MOST_ADDRESS = 4096 };
static const uint64_t GRACE_NS = 500000000;

struct ucx_link {
    struct link link;
    struct link *net; // the connection
    ucp_worker_h worker;
    ucp_ep_h ep;
    struct watch *watch;
    struct {
        void *request; // NULL: over
        size_t bytes;
        char copy[SMALL]; // headers: the sender's memory for them does not last
    } sends[SENDS];
    unsigned first, count;
    uint64_t drained, head, tail;
    char *ring;
    // What is told over the connection: a size and an address.
    char own[MOST_ADDRESS], other[MOST_ADDRESS];
    size_t own_size, said, heard;
    atomic_bool failed;
    uint64_t end_seen; // when the connection ended; 0: it has not
};

// ---- the library
static void open_library(void)
{
    void *h = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL);
    ucp_config_t *config = NULL;
    if (!h)
        return;
#define FIND(name)                                                                                                     \
    ucx.name = (__typeof__(name) *)dlsym(h, #name);                                                                    \
    if (!ucx.name)                                                                                                     \
        return;
    FUNCTIONS(FIND)
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES, .features = UCP_FEATURE_STREAM | UCP_FEATURE_WAKEUP};
    ucp_context_h context = NULL;
    if (ucx.ucp_config_read(NULL, NULL, &config))
        return;
    if (!ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &context))
        ucx.context = context;
    ucx.ucp_config_release(config);
    if (!ucx.context)
        log_write(LOG_WARN, "NCCL: UCX cannot be used");
}

bool link_ucx_there(void)
{
    pthread_once(&once, open_library);
    return ucx.context;
}

// ---- making a link
static void ready(void *data, unsigned events)
{
    struct ucx_link *u = data;
    (void)events;
    engine_wake(u->link.engine);
}

static void peer_failed(void *arg, ucp_ep_h ep, ucs_status_t status)
{
    struct ucx_link *u = arg;
    (void)ep;
    (void)status;
    atomic_store(&u->failed, true);
}

static bool worker_make(struct ucx_link *u)
{
    ucp_worker_params_t params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    ucp_address_t *address = NULL;
    size_t size = 0;
    int fd = -1;
    if (!link_ucx_there() || !(u->ring = malloc(RING)) || ucx.ucp_worker_create(ucx.context, &params, &u->worker))
        return false;
    if (ucx.ucp_worker_get_address(u->worker, &address, &size))
        return false;
    uint32_t told = (uint32_t)size;
    bool fits = size + sizeof told <= MOST_ADDRESS;
    if (fits) {
        memcpy(u->own, &told, sizeof told);
        memcpy(u->own + sizeof told, address, size);
        u->own_size = size + sizeof told;
    }
    ucx.ucp_worker_release_address(u->worker, address);
    return fits && !ucx.ucp_worker_get_efd(u->worker, &fd) && (u->watch = watch_add(fd, ready, u));
}

static bool ep_make(struct ucx_link *u)
{
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLER,
                              .address = (const ucp_address_t *)(u->other + sizeof(uint32_t)),
                              .err_mode = UCP_ERR_HANDLING_MODE_PEER,
                              .err_handler = {peer_failed, u}};
    return !ucx.ucp_ep_create(u->worker, &params, &u->ep);
}

// A step of the exchange; the link is ready when the other's address is here.
static bool exchange(struct ucx_link *u)
{
    const struct link_kind *net = &link_net;
    uint32_t size = 0;
    if (u->said < u->own_size)
        u->said += net->push(u->net, u->own + u->said, u->own_size - u->said);
    if (u->heard < sizeof size)
        u->heard += net->pull(u->net, u->other + u->heard, sizeof size - u->heard);
    if (u->heard >= sizeof size) {
        memcpy(&size, u->other, sizeof size);
        if (size > MOST_ADDRESS - sizeof size)
            return false;
        u->heard += net->pull(u->net, u->other + u->heard, sizeof size + size - u->heard);
    }
    if (u->net->state == LINK_DEAD)
        return false;
    if (u->said < u->own_size || u->heard < sizeof size || u->heard < sizeof size + size)
        return true;
    if (!ep_make(u))
        return false;
    u->link.state = LINK_READY;
    return true;
}

static void ucx_connect(struct link *l)
{
    struct ucx_link *u = (struct ucx_link *)l;
    bool ok = u->net && u->worker;
    if (!u->net && (u->net = calloc(1, link_net.bytes))) {
        u->net->kind = &link_net;
        u->net->engine = l->engine;
        u->net->peer = l->peer;
        ok = worker_make(u);
    }
    if (ok && u->net->state == LINK_NEW)
        link_net.connect(u->net);
    ok = ok && u->net->state != LINK_DEAD;
    if (ok && u->net->state == LINK_READY)
        ok = exchange(u);
    if (!ok)
        l->state = LINK_DEAD;
}

// ---- data
static void progress(struct ucx_link *u)
{
    while (ucx.ucp_worker_progress(u->worker))
        ;
    while (u->count && (!u->sends[u->first].request ||
                        ucx.ucp_request_check_status(u->sends[u->first].request) != UCS_INPROGRESS)) {
        void *request = u->sends[u->first].request;
        if (request && ucx.ucp_request_check_status(request))
            atomic_store(&u->failed, true);
        if (request)
            ucx.ucp_request_free(request);
        u->drained += u->sends[u->first].bytes;
        u->first = (u->first + 1) % SENDS;
        u->count--;
    }
}

static bool is_over(struct ucx_link *u)
{
    char c;
    if (!u->end_seen) {
        ssize_t n = link_net_peek_end(u->net, &c);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            u->end_seen = os_time_ns();
    }
    return atomic_load(&u->failed) || (u->end_seen && os_time_ns() - u->end_seen > GRACE_NS);
}

static size_t ucx_push(struct link *l, const void *from, size_t n)
{
    struct ucx_link *u = (struct ucx_link *)l;
    progress(u);
    if (u->count == SENDS) {
        if (is_over(u))
            l->state = LINK_DEAD;
        return 0;
    }
    unsigned at = (u->first + u->count) % SENDS;
    if (n <= SMALL)
        from = memcpy(u->sends[at].copy, from, n);
    ucp_request_param_t params = {0};
    void *request = ucx.ucp_stream_send_nbx(u->ep, from, n, &params);
    if (UCS_PTR_IS_ERR(request)) {
        l->state = LINK_DEAD;
        return 0;
    }
    u->sends[at].request = request;
    u->sends[at].bytes = n;
    u->count++;
    progress(u);
    return n;
}

static uint64_t ucx_drained(struct link *l)
{
    struct ucx_link *u = (struct ucx_link *)l;
    progress(u);
    if (u->count && is_over(u))
        l->state = LINK_DEAD;
    return u->drained;
}

// What has come goes into the ring, as far as there is room for the whole of it.
static void fill(struct ucx_link *u)
{
    while (RING - (u->head - u->tail) >= RING / 2) {
        size_t n = 0;
        char *data = ucx.ucp_stream_recv_data_nb(u->ep, &n);
        if (!data || UCS_PTR_IS_ERR(data)) {
            if (data)
                atomic_store(&u->failed, true);
            return;
        }
        if (n > RING - (u->head - u->tail)) { // UCX's pieces are smaller by far
            atomic_store(&u->failed, true);
            ucx.ucp_stream_data_release(u->ep, data);
            return;
        }
        size_t at = u->head % RING, first = n < RING - at ? n : RING - at;
        memcpy(u->ring + at, data, first);
        memcpy(u->ring, data + first, n - first);
        u->head += n;
        ucx.ucp_stream_data_release(u->ep, data);
    }
}

static size_t ucx_peek(struct link *l, const char **at)
{
    struct ucx_link *u = (struct ucx_link *)l;
    if (u->head - u->tail < RING / 4) {
        progress(u);
        fill(u);
    }
    size_t have = (size_t)(u->head - u->tail), here = RING - u->tail % RING;
    if (!have && is_over(u))
        l->state = LINK_DEAD;
    *at = u->ring + u->tail % RING;
    return have < here ? have : here;
}

static void ucx_consume(struct link *l, size_t n)
{
    ((struct ucx_link *)l)->tail += n;
}

static size_t ucx_pull(struct link *l, char *to, size_t n)
{
    const char *from;
    size_t m = ucx_peek(l, &from);
    m = m < n ? m : n;
    if (m)
        memcpy(to, from, m);
    ucx_consume(l, m);
    return m;
}

static void ucx_notify(struct link *l)
{
    progress((struct ucx_link *)l);
}

static void ucx_arm(struct link *l, bool out)
{
    struct ucx_link *u = (struct ucx_link *)l;
    if (u->net && u->net->kind)
        link_net.arm(u->net, l->state == LINK_NEW || out ? u->said < u->own_size : false);
    if (!u->watch || !u->ep)
        return;
    watch_arm(u->watch, EPOLLIN);
    if (u->end_seen || ucx.ucp_worker_arm(u->worker)) // something has come meanwhile, or an end is waited for
        engine_wake(l->engine);
}

static void ep_close(struct ucx_link *u)
{
    uint64_t begun = os_time_ns();
    bool whole = u->link.state == LINK_READY && !atomic_load(&u->failed);
    if (whole)
        link_net_finish(u->net);
    while (whole && !is_over(u) && !u->end_seen && os_time_ns() - begun < GRACE_NS)
        progress(u);
    void *request = ucx.ucp_ep_close_nb(u->ep, UCP_EP_CLOSE_MODE_FORCE);
    while (request && !UCS_PTR_IS_ERR(request) && ucx.ucp_request_check_status(request) == UCS_INPROGRESS)
        ucx.ucp_worker_progress(u->worker);
    if (request && !UCS_PTR_IS_ERR(request))
        ucx.ucp_request_free(request);
}

static void ucx_close(struct link *l)
{
    struct ucx_link *u = (struct ucx_link *)l;
    watch_remove(u->watch);
    if (u->ep)
        ep_close(u);
    if (u->worker) {
        for (; u->count; u->count--, u->first = (u->first + 1) % SENDS)
            if (u->sends[u->first].request)
                ucx.ucp_request_free(u->sends[u->first].request);
        ucx.ucp_worker_destroy(u->worker);
    }
    if (u->net) {
        link_net.close(u->net);
        free(u->net);
    }
    free(u->ring);
}

const struct link_kind link_ucx = {
    .name = "UCX",
    .bytes = sizeof(struct ucx_link),
    .pads = true,
    .connect = ucx_connect,
    .push = ucx_push,
    .drained = ucx_drained,
    .peek = ucx_peek,
    .consume = ucx_consume,
    .pull = ucx_pull,
    .notify = ucx_notify,
    .arm = ucx_arm,
    .close = ucx_close,
};
#else
bool link_ucx_there(void)
{
    return false;
}
const struct link_kind link_ucx; // never chosen
#endif
