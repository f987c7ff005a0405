// SPDX-License-Identifier: Apache-2.0
// How ranks find each other. A unique id is an address and a number that nobody guesses. The process that made the id (with NCCL_COMM_ID, that of
// rank 0) has a thread that listens there: each rank connects and says who it is; when all are there, each gets the list of all, and the
// thread ends. A rank that leaves before that, or that does not fit to the others, ends it for all.
#include "nccl/comm.h"
#include "base/os.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct id { // in an ncclUniqueId
    uint64_t nonce;
    union address address;
};
_Static_assert(sizeof(struct id) <= NCCL_UNIQUE_ID_BYTES, "an id holds an address");

struct joining { // what a rank says
    uint64_t nonce;
    int32_t n, rank;
    struct peer peer;
};
struct answer {
    int32_t result; // ncclResult_t; 0: a list follows
    int32_t n;
    uint64_t nonce; // of the communicator: one id may serve once only
};

struct root {
    int listener;
    uint64_t nonce;
    int n, here;
    int *fds; // by rank; -1
    struct peer *peers;
};

// ---- blocking transfers that give up when told to
static bool wait_for(int fd, short events, const atomic_bool *ending)
{
    enum { SLICE_MS = 50 };
    struct pollfd p = {.fd = fd, .events = events};
    for (;;) {
        if (ending && atomic_load(ending))
            return false;
        int r = poll(&p, 1, SLICE_MS);
        if (r > 0)
            return true;
        if (r < 0 && errno != EINTR)
            return false;
    }
}

static bool send_all(int fd, const void *data, size_t n, const atomic_bool *ending)
{
    for (const char *at = data; n;) {
        ssize_t k = send(fd, at, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (k < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        at += k > 0 ? k : 0;
        n -= k > 0 ? (size_t)k : 0;
        if (n && !wait_for(fd, POLLOUT, ending))
            return false;
    }
    return true;
}

static bool recv_all(int fd, void *data, size_t n, const atomic_bool *ending)
{
    for (char *at = data; n;) {
        if (!wait_for(fd, POLLIN, ending))
            return false;
        ssize_t k = recv(fd, at, n, MSG_DONTWAIT);
        if (k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        at += k > 0 ? k : 0;
        n -= k > 0 ? (size_t)k : 0;
    }
    return true;
}

// ---- the root
static void root_end(struct root *r, int extra, ncclResult_t result)
{
    struct answer a = {result, r->n, comm_random()};
    for (int i = 0; i < r->n; i++)
        if (r->fds[i] >= 0) {
            if (send_all(r->fds[i], &a, sizeof a, NULL) && !result)
                send_all(r->fds[i], r->peers, (size_t)r->n * sizeof *r->peers, NULL);
            close(r->fds[i]);
        }
    if (extra >= 0) {
        send_all(extra, &a, sizeof a, NULL);
        close(extra);
    }
}

// Of a connection: false, and it is to be ended for all, where it does not fit.
static bool root_hear(struct root *r, int fd)
{
    struct joining j;
    struct timeval limit = {5, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (recv(fd, &j, sizeof j, MSG_WAITALL) != (ssize_t)sizeof j || j.nonce != r->nonce) { // a stranger
        close(fd);
        return true;
    }
    if (!r->fds && j.n > 0) {
        r->fds = malloc((size_t)j.n * sizeof *r->fds);
        r->peers = calloc((size_t)j.n, sizeof *r->peers);
        r->n = r->fds && r->peers ? j.n : 0;
        for (int i = 0; i < r->n; i++)
            r->fds[i] = -1;
    }
    if (j.n != r->n || j.rank < 0 || j.rank >= r->n || r->fds[j.rank] >= 0) {
        root_end(r, fd, ncclInvalidUsage);
        return false;
    }
    r->fds[j.rank] = fd;
    r->peers[j.rank] = j.peer;
    r->here++;
    return true;
}

// Waits for a rank to come; false: one that was here has gone.
static bool root_wait(const struct root *r, struct pollfd *polls)
{
    int n = 0, count = 1;
    polls[0] = (struct pollfd){.fd = r->listener, .events = POLLIN};
    for (int i = 0; i < r->n; i++)
        if (r->fds[i] >= 0)
            polls[count++] = (struct pollfd){.fd = r->fds[i], .events = POLLRDHUP};
    while ((n = poll(polls, (nfds_t)count, -1)) < 0 && errno == EINTR)
        ;
    for (int i = 1; i < count && n > 0; i++)
        if (polls[i].revents)
            return false;
    return n > 0;
}

static void root_serve(struct root *r)
{
    struct pollfd *polls = malloc(sizeof *polls);
    while (polls && (!r->n || r->here < r->n)) {
        if (!root_wait(r, polls)) {
            root_end(r, -1, ncclRemoteError);
            break;
        }
        int fd = accept4(r->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            continue;
        net_prepare(fd);
        if (!root_hear(r, fd))
            break;
        struct pollfd *more = realloc(polls, (size_t)(r->n + 1) * sizeof *polls);
        polls = more ? more : polls;
        if (!more || (r->n && r->here == r->n)) {
            root_end(r, -1, more ? ncclSuccess : ncclSystemError);
            break;
        }
    }
    free(polls);
}

static void *root_thread(void *data)
{
    struct root *r = data;
    root_serve(r);
    close(r->listener);
    free(r->fds);
    free(r->peers);
    free(r);
    return NULL;
}

static ncclResult_t root_start(struct id *id)
{
    struct root *r = calloc(1, sizeof *r);
    pthread_t thread;
    sigset_t all, old;
    if (!r)
        return fail(ncclSystemError, "out of memory");
    r->nonce = id->nonce;
    r->listener = net_listen(&id->address);
    if (r->listener < 0) {
        free(r);
        return fail(ncclSystemError, "no socket for other ranks: %s", strerror(errno));
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int e = pthread_create(&thread, NULL, root_thread, r);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (e) {
        close(r->listener);
        free(r);
        return fail(ncclSystemError, "no thread for other ranks");
    }
    pthread_detach(thread);
    return ncclSuccess;
}

// ---- ids
// All processes know the number of an id that the environment names.
static ncclResult_t named_id(const char *text, struct id *id)
{
    id->nonce = 0x686564646c65;
    return net_parse(text, &id->address) ? ncclSuccess
                                         : fail(ncclInvalidArgument, "NCCL_COMM_ID is no address and port: %s", text);
}

ncclResult_t bootstrap_unique_id(ncclUniqueId *out)
{
    struct id id;
    const char *named = secure_getenv("NCCL_COMM_ID");
    if (!out)
        return fail(ncclInvalidArgument, "GetUniqueId: the id is NULL");
    memset(&id, 0, sizeof id);
    ncclResult_t r;
    if (named && *named) {
        r = named_id(named, &id);
    } else {
        id.nonce = comm_random();
        r = net_own_address(&id.address) ? root_start(&id)
                                         : fail(ncclSystemError, "no network interface fits (NCCL_SOCKET_IFNAME)");
    }
    memset(out, 0, sizeof *out);
    if (!r)
        memcpy(out, &id, sizeof id);
    return r;
}

// ---- ranks
static int call_root(const struct comm *c, const struct id *id, bool named)
{
    enum { TRIES = 600, PAUSE_US = 100000 };
    for (int i = 0; i < (named ? TRIES : 1); i++) {
        int e = 0, fd = net_call(&id->address);
        socklen_t size = sizeof e;
        if (fd >= 0 && wait_for(fd, POLLOUT, &c->ending) && !getsockopt(fd, SOL_SOCKET, SO_ERROR, &e, &size) && !e)
            return fd;
        if (fd >= 0)
            close(fd);
        if (atomic_load(&c->ending))
            break;
        if (named)
            usleep(PAUSE_US);
        errno = e;
    }
    return -1;
}

ncclResult_t bootstrap_join(struct comm *c, const ncclUniqueId *unique, struct peer **peers)
{
    struct id id;
    memcpy(&id, unique, sizeof id);
    const char *named = secure_getenv("NCCL_COMM_ID");
    bool is_named = named && *named;
    if (is_named && c->rank == 0) {
        ncclResult_t r = root_start(&id);
        if (r)
            return r;
    }
    struct joining j;
    memset(&j, 0, sizeof j);
    j.nonce = id.nonce;
    j.n = c->n;
    j.rank = c->rank;
    j.peer = comm_self(c);
    struct answer a;
    int fd = call_root(c, &id, is_named);
    if (fd < 0)
        return fail(ncclSystemError, "rank %d does not reach the process that made the id: %s", c->rank,
                    strerror(errno));
    ncclResult_t r = ncclSuccess;
    size_t bytes = (size_t)c->n * sizeof **peers;
    *peers = malloc(bytes);
    if (!*peers)
        r = fail(ncclSystemError, "out of memory");
    else if (!send_all(fd, &j, sizeof j, &c->ending) || !recv_all(fd, &a, sizeof a, &c->ending))
        r = fail(ncclRemoteError, "rank %d: the process that made the id has gone", c->rank);
    else if (a.result)
        r = fail(a.result, "rank %d of %d: %s", c->rank, c->n,
                 a.result == ncclRemoteError ? "another rank has gone"
                                             : "ranks do not agree about their number, or two are the same");
    else if (!recv_all(fd, *peers, bytes, &c->ending))
        r = fail(ncclRemoteError, "rank %d: the process that made the id has gone", c->rank);
    close(fd);
    if (!r)
        c->nonce = a.nonce;
    if (r) {
        free(*peers);
        *peers = NULL;
    }
    return r;
}
