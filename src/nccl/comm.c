// SPDX-License-Identifier: Apache-2.0
// The life of a communicator. Its handle and works that are launched or captured hold it; links and sockets go when it is closed.
#include "nccl/comm.h"
#include "nccl/link/link.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- who this is
static uint64_t mix(uint64_t hash, const void *data, size_t n)
{
    for (const unsigned char *p = data; n; n--, p++)
        hash = (hash ^ *p) * 0x100000001b3;
    return hash;
}

// The machine as far as memory and sockets go: that of this start, its name, and its network. NCCL_HOSTID says it otherwise.
static uint64_t host_id(void)
{
    char text[256] = "";
    struct stat net;
    uint64_t hash = 0xcbf29ce484222325;
    const char *own = secure_getenv("NCCL_HOSTID");
    if (own && *own)
        return mix(hash, own, strlen(own));
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (f) {
        hash = mix(hash, text, fread(text, 1, sizeof text, f));
        fclose(f);
    }
    if (!gethostname(text, sizeof text))
        hash = mix(hash, text, strnlen(text, sizeof text));
    if (!stat("/proc/self/ns/net", &net))
        hash = mix(hash, &net.st_ino, sizeof net.st_ino);
    return hash;
}

static uint64_t process_id(void)
{
    static uint64_t id;
    static pid_t of;
    comm_lock();
    if (of != getpid()) {
        id = comm_random();
        of = getpid();
    }
    uint64_t now = id;
    comm_unlock();
    return now;
}

struct peer comm_self(const struct comm *c)
{
    struct peer p;
    memset(&p, 0, sizeof p);
    p.host = host_id();
    p.process = process_id();
    p.token = c->token;
    p.address = c->address;
    p.rank = c->rank;
    p.device = c->device;
    p.ucx = c->listen_net >= 0 && link_ucx_wanted();
    return p;
}

// ---- life
static void engine_init(struct engine *e, struct comm *c, unsigned channel)
{
    e->comm = c;
    e->channel = channel;
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->cond, NULL);
}

struct comm *comm_create(int rank, int n, int device)
{
    struct comm *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    atomic_init(&c->refs, 1);
    c->rank = rank;
    c->n = n;
    c->device = device;
    c->token = comm_random();
    c->blocking = true;
    c->listen_net = c->listen_host = -1;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->cond, NULL);
    pthread_mutex_init(&c->control, NULL);
    pthread_mutex_init(&c->accept_lock, NULL);
    for (unsigned i = 0; i < ENGINES; i++)
        engine_init(&c->engines[i], c, i);
    return c;
}

struct comm *comm_retain(struct comm *c)
{
    atomic_fetch_add(&c->refs, 1);
    return c;
}

static void buffers_free(struct comm *c)
{
    for (struct buffer *b = c->buffers, *next; b; b = next) {
        next = b->next;
        free(b);
    }
}

void comm_release(struct comm *c)
{
    if (!c || atomic_fetch_sub(&c->refs, 1) != 1)
        return;
    accept_end(c);
    for (unsigned i = 0; i < ENGINES; i++) {
        free(c->engines[i].links);
        free(c->engines[i].queue);
        pthread_mutex_destroy(&c->engines[i].lock);
        pthread_cond_destroy(&c->engines[i].cond);
    }
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->cond);
    pthread_mutex_destroy(&c->control);
    pthread_mutex_destroy(&c->accept_lock);
    buffers_free(c);
    free(c->redops);
    free(c->peers);
    free(c);
}

bool comm_open(struct comm *c, const struct peer *peers)
{
    c->peers = malloc((size_t)c->n * sizeof *peers);
    if (!c->peers)
        return false;
    memcpy(c->peers, peers, (size_t)c->n * sizeof *peers);
    for (int i = 0; i < c->n; i++)
        c->neighbours |= link_by_memory(c, i);
    for (unsigned i = 0; i < ENGINES; i++)
        if (!(c->engines[i].links = calloc((size_t)c->n, sizeof *c->engines[i].links)))
            return false;
    return accept_begin(c) == ncclSuccess;
}

ncclResult_t comm_listen(struct comm *c)
{
    if (!net_own_address(&c->address))
        return fail(ncclSystemError, "no network interface fits (NCCL_SOCKET_IFNAME)");
    c->listen_net = net_listen(&c->address);
    c->listen_host = net_listen_host(c->token);
    if (c->listen_net < 0 || c->listen_host < 0)
        return fail(ncclSystemError, "no socket for other ranks: %s", strerror(errno));
    return ncclSuccess;
}

void comm_close(struct comm *c)
{
    pthread_mutex_lock(&c->lock);
    bool mine = !c->closed;
    c->closed = true;
    pthread_mutex_unlock(&c->lock);
    if (!mine)
        return;
    atomic_store(&c->ending, true);
    comm_unregister(c);
    engine_wake(&c->engines[ENGINE_CONTROL]);
    pthread_mutex_lock(&c->control); // who uses it has gone
    pthread_mutex_lock(&c->lock);
    while (c->active) {
        pthread_mutex_unlock(&c->lock);
        engine_wake(&c->engines[ENGINE_DATA]);
        pthread_mutex_lock(&c->lock);
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 1000000;
        soon.tv_sec += soon.tv_nsec / 1000000000;
        soon.tv_nsec %= 1000000000;
        if (c->active)
            pthread_cond_timedwait(&c->cond, &c->lock, &soon);
    }
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < ENGINES; i++)
        engine_break(&c->engines[i]);
    pthread_mutex_unlock(&c->control);
    accept_end(c);
    if (c->has_last) {
        cudaEventDestroy(c->last);
        cudaEventDestroy(c->last_captured);
        c->has_last = false;
    }
}

// ---- handles
ncclComm_t comm_handle(struct comm *c)
{
    struct ncclComm *h = library_handle_create(sizeof *h);
    if (h)
        h->comm = c;
    return h;
}

struct comm *comm_any(ncclComm_t h)
{
    return library_handle_alive(h) ? h->comm : NULL;
}

struct comm *comm_get(ncclComm_t h, ncclResult_t *r)
{
    struct comm *c = comm_any(h);
    *r = ncclSuccess;
    if (!c) {
        *r = fail(ncclInvalidArgument, "the communicator is %s", h ? "none, or was destroyed" : "NULL");
        return NULL;
    }
    int state = atomic_load(&c->state), error = atomic_load(&c->error);
    if (state == ncclInProgress)
        *r = fail(ncclInvalidArgument, "the communicator is used before it is ready");
    else if (state || error)
        *r = fail(state ? state : error, "the communicator has failed before");
    else if (atomic_load(&c->ending) || atomic_load(&c->finalized))
        *r = fail(ncclInvalidUsage, "the communicator has ended");
    return *r ? NULL : c;
}
