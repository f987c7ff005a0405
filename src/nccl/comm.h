// SPDX-License-Identifier: Apache-2.0
// Communicators, and how a collective is executed.
//
// 1. A call is checked and becomes *flows* (flow.h): what this rank sends to whom and receives from whom, piece by piece. All calls of
//    a group on one communicator are one *work*, launched in the stream as one native task (driver/native.h). So it is asynchronous,
//    ordered with kernels, captured and replayed by graphs.
// 2. Data goes over *links* (link/link.h), one for each pair of ranks and direction: pointers within a process, a ring in
//    shared memory within a machine, TCP between machines. They are made when first used: the lower rank connects, the higher one
//    accepts, both as a part of the work that needs the link.
// 3. A turn of the task moves what can be moved, on whichever thread of the engine runs it: a worker, or the one that waits for
//    the stream. When nothing has moved for some microseconds, it asks to be told when a link is ready, and sleeps. One thread of
//    the process, which only waits for file descriptors, or a peer in this process wakes it. (watch.c, link/link.h)
//
// No deadlock. A turn never waits: it ends after a bounded time without progress, and then holds no worker and no lock. So any number
// of communicators, ranks and kernels that wait for each other make progress on one worker, each as soon as what it waits for
// is there. Works of one communicator run in the order in which they are issued, which NCCL asks to be the same on all ranks:
// each stream waits for the work before it on the communicator, by an event, as NVIDIA's does. Within a work, all flows
// go on at once, but those on the same link and direction in their order, which is the same at both ends: collectives in the order
// of calls, then messages from rank to rank. A flow waits for data of an earlier piece of the same work alone (`gate`). So of all
// works that have begun on all ranks, the oldest one can always move: what it lacks was sent before, or will be by a peer's flow of
// the same work that stands first on its link.
// Sums on their way lie in a window of bounded size: those of a chain end at a rank that takes all, and those of a ring are large enough
// (plan/ring.c).
// Issued by one thread or several, in groups or without: nothing in a call waits for a peer but making communicators.
//
// Results do not depend on timing. Who adds what in which order follows from the number of ranks and the size (plan/choose.c).
//
// A peer that dies closes its sockets. Whoever has a flow on that link sees it, fails (comm_fail), closes its own links so that
// others see it too, and ends the work: streams go on, the communicator's error says that their data is not good.
#ifndef HEDDLE_NCCL_COMM_H
#define HEDDLE_NCCL_COMM_H
#include "library/library.h"
#include "nccl/flow.h"
#include "nccl/watch.h"
#include <nccl.h>
#include <netinet/in.h>

// What a rank tells the others when it joins.
union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};
struct peer {
    uint64_t host, process; // equal: the same machine and network; the same process
    uint64_t token;         // names it, and its socket for the machine
    union address address;  // its socket for the network
    int32_t rank, device;
    int32_t ucx; // it can be reached by UCX
};

// Links of one kind of traffic, and who is to be told when they are ready.
enum { ENGINE_DATA, ENGINE_CONTROL, ENGINES }; // control: between hosts, where communicators are made of others
struct engine {
    struct comm *comm;
    unsigned channel; // ENGINE_DATA, ENGINE_CONTROL
    struct link **links;
    pthread_mutex_t lock;
    pthread_cond_t cond;
    struct native_task *task;   // under way; woken
    bool woken;                 // the same for a thread that waits itself
    struct native_task **queue; // works that wait for the one under way
    unsigned waiting, room;
};

struct redop {
    bool used;
    ncclDataType_t type;
    uint64_t scalar;    // its bits
    const void *device; // where it is read when the work runs; NULL: it is in `scalar`
};

// Memory that a program has registered.
struct buffer {
    struct buffer *next;
    void *at;
    size_t size;
    bool window;
};

struct comm {
    atomic_uint refs; // the handle's, works'
    int rank, n, device;
    uint64_t nonce; // which communicator it is, to all ranks
    uint64_t token; // this rank's
    union address address;
    struct peer *peers;
    struct engine engines[ENGINES];
    bool neighbours; // there are ranks in other processes of this machine, that may read memory of this one
    bool blocking;
    bool registered;
    atomic_int error;   // ncclResult_t; the first one stays
    atomic_int state;   // of what is being done: ncclInProgress, or how it ended
    atomic_bool ending; // aborted or revoked: nothing is begun any more, what is under way ends
    atomic_bool finalized;
    pthread_mutex_t lock; // of what follows
    pthread_cond_t cond;
    unsigned active, issued; // works that have begun; those launched and not over
    bool closed;
    pthread_mutex_t control; // one thread at a time uses ENGINE_CONTROL
    unsigned children;       // communicators made of it
    // Links that others have made: sockets, and memory that came with them.
    pthread_mutex_t accept_lock;
    int listen_net, listen_host; // -1: none
    struct watch *watch_net, *watch_host;
    struct accepted *accepted;
    struct redop *redops;
    unsigned nredops;
    struct buffer *buffers; // registered
    // Works on one communicator follow each other, whatever their streams.
    cudaEvent_t last, last_captured;
    cudaStream_t last_stream;
    unsigned long long last_capture; // 0: none
    bool has_last;
    struct comm *next; // of this process
};

// The handle.
struct ncclComm {
    struct library_handle handle;
    struct comm *comm;
    pthread_t thread; // that makes it
    bool has_thread;
};

// ---- state.c
void comm_register(struct comm *c); // others of this process find it
void comm_unregister(struct comm *c);
bool comm_alive(uint64_t token); // a communicator of this process has not ended; comm_lock() is held
void comm_lock(void);
void comm_unlock(void);
uint64_t comm_random(void);
void comm_fail(struct comm *c, ncclResult_t r, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void engine_wake(struct engine *e); // a link of it is ready

// ---- message.c
ncclResult_t fail(ncclResult_t r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3))); // notes why, and returns r
ncclResult_t fail_cuda(cudaError_t e);
void message_note(const char *fmt, ...) __attribute__((format(printf, 1, 2))); // NCCL_DEBUG=INFO
const char *message_last(void);

// ---- comm.c
struct comm *comm_create(int rank, int n, int device);
struct comm *comm_retain(struct comm *c);
void comm_release(struct comm *c);
bool comm_open(struct comm *c, const struct peer *peers); // all ranks are known: false: out of memory
struct peer comm_self(const struct comm *c);
// Ends what is under way, waits for that, and closes the links.
void comm_close(struct comm *c);
// The communicator of a handle. NULL: it has none that may be used now, and *r says why.
struct comm *comm_get(ncclComm_t handle, ncclResult_t *r);
// The same where one that has failed, or is still being made, will do.
struct comm *comm_any(ncclComm_t handle);
ncclComm_t comm_handle(struct comm *c); // takes the reference; NULL: out of memory

// ---- info.c
ncclResult_t info_version(int *version);
const char *info_error_string(ncclResult_t r);
const char *info_last_error(ncclComm_t comm);
ncclResult_t info_async_error(ncclComm_t comm, ncclResult_t *error);
ncclResult_t info_count(ncclComm_t comm, int *count);
ncclResult_t info_device(ncclComm_t comm, int *device);
ncclResult_t info_rank(ncclComm_t comm, int *rank);

// ---- bootstrap.c
ncclResult_t bootstrap_unique_id(ncclUniqueId *id);
// Joins the others of this id and learns who they are. From malloc.
ncclResult_t bootstrap_join(struct comm *c, const ncclUniqueId *id, struct peer **peers);

// ---- net.c: sockets
bool net_own_address(union address *out);
int net_listen(union address *at); // port 0: any, which is filled in; -1
int net_listen_host(uint64_t token);
int net_call(const union address *to); // begins to connect; -1 with errno
int net_call_host(uint64_t token);
socklen_t net_length(const union address *a);
bool net_parse(const char *text, union address *out); // host:port
void net_prepare(int fd);

// ---- init.c
ncclResult_t init_rank(ncclComm_t *comm, int n, int nids, const ncclUniqueId *ids, int rank, ncclConfig_t *config,
                       bool configured);
ncclResult_t init_all(ncclComm_t *comm, int n, const int *devices);
struct job {
    ncclResult_t (*run)(struct job *job);
    ncclComm_t handle;
    struct comm *comm, *parent;
    ncclComm_t *out;
    bool blocking;
    ncclUniqueId id;
    int color, key;
    int *excluded, nexcluded;
    struct job *next;
};
// Now, on a thread of its own, or by the end of the group. Takes the job.
ncclResult_t job_start(struct job *job);
ncclResult_t jobs_run(struct job *list); // all at once; waits for those that block
void jobs_drop(struct job *list, ncclResult_t r);
ncclResult_t config_check(const ncclConfig_t *config, bool *blocking);

// ---- split.c
ncclResult_t split_comm(ncclComm_t comm, int color, int key, ncclComm_t *out, ncclConfig_t *config);
ncclResult_t split_shrink(ncclComm_t comm, const int *excluded, int count, ncclComm_t *out, ncclConfig_t *config,
                          int flags);
ncclResult_t comm_listen(struct comm *c);

// ---- end.c
ncclResult_t end_finalize(ncclComm_t comm);
ncclResult_t end_destroy(ncclComm_t comm);
ncclResult_t end_abort(ncclComm_t comm);
ncclResult_t end_revoke(ncclComm_t comm, int flags);

// ---- buffer.c
ncclResult_t buffer_alloc(void **at, size_t size);
ncclResult_t buffer_free(void *at);
ncclResult_t buffer_register(ncclComm_t comm, void *at, size_t size, void **handle);
ncclResult_t buffer_deregister(ncclComm_t comm, void *handle);
ncclResult_t buffer_window(ncclComm_t comm, void *at, size_t size, ncclWindow_t *win, int flags);
ncclResult_t buffer_window_end(ncclComm_t comm, ncclWindow_t win);
ncclResult_t redop_create(ncclRedOp_t *op, const void *scalar, ncclDataType_t type, ncclScalarResidence_t where,
                          ncclComm_t comm);
ncclResult_t redop_destroy(ncclRedOp_t op, ncclComm_t comm);

// ---- call.c, group.c
enum call_kind {
    CALL_REDUCE,
    CALL_BROADCAST,
    CALL_ALL_REDUCE,
    CALL_REDUCE_SCATTER,
    CALL_ALL_GATHER,
    CALL_ALL_TO_ALL,
    CALL_GATHER,
    CALL_SCATTER,
    CALL_SEND,
    CALL_RECV
};
struct call {
    enum call_kind kind;
    struct comm *comm;
    const char *send;
    char *recv;
    size_t count;
    ncclDataType_t type;
    ncclRedOp_t op;
    int root; // or the other rank
    cudaStream_t stream;
    struct redop redop; // where op is the program's own
};
ncclResult_t call_enqueue(enum call_kind kind, const void *send, void *recv, size_t count, ncclDataType_t type,
                          ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream);
ncclResult_t group_call(const struct call *c); // checked
bool group_open(void);
void group_job(struct job *job);           // at the end of the group
ncclResult_t group_failed(ncclResult_t r); // noted for the group's end; returns r
ncclResult_t group_start(void);
ncclResult_t group_end(void);
ncclResult_t group_simulate_end(ncclSimInfo_t *info);

// ---- work.c
// Launches the calls, all of one communicator, in the stream of the first one.
ncclResult_t work_launch(const struct call *calls, size_t n);

// ---- engine.c
enum progress { PROGRESS_DONE, PROGRESS_FAILED, PROGRESS_STALLED, PROGRESS_LATER };
void engine_begin(struct engine *e, struct flows *f);
enum progress engine_turn(struct engine *e, struct flows *f);
// On this thread, for the control engine; false: it failed.
bool engine_run(struct engine *e, struct flows *f);
void engine_break(struct engine *e); // closes all links
#endif
