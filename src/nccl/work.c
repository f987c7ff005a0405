// SPDX-License-Identifier: Apache-2.0
// Works: the calls of a group on one communicator as a task of a stream. Graphs that captured it keep it and run it again.
#include "nccl/comm.h"
#include <stdlib.h>
#include <string.h>

struct work {
    struct native_state state;
    struct comm *comm;
    struct flows flows;
    bool counts; // launched, not captured: it runs once
};

struct block {
    struct native_task_head head; // state: the work
};

static struct work *work_of(const void *block)
{
    return (struct work *)((const struct block *)block)->head.state;
}

static void work_free(struct native_state *s)
{
    struct work *w = (struct work *)s;
    flows_free(&w->flows);
    comm_release(w->comm);
    free(w);
}

// ---- one at a time on a communicator
enum entry { ENTER, WAIT, LEAVE };

static bool queue_push(struct engine *e, struct native_task *t)
{
    for (unsigned i = 0; i < e->waiting; i++)
        if (e->queue[i] == t)
            return true;
    if (e->waiting == e->room) {
        unsigned room = e->room ? 2 * e->room : 8;
        struct native_task **wider = realloc(e->queue, room * sizeof *wider);
        if (!wider)
            return false;
        e->queue = wider;
        e->room = room;
    }
    e->queue[e->waiting++] = t;
    return true;
}

static void queue_drop(struct engine *e, unsigned i)
{
    e->waiting--;
    memmove(&e->queue[i], &e->queue[i + 1], (e->waiting - i) * sizeof *e->queue);
}

// The engine's lock is held within the communicator's. *fresh: this turn is the work's first.
static enum entry enter(struct work *w, struct native_task *t, bool *fresh)
{
    struct comm *c = w->comm;
    struct engine *e = &c->engines[ENGINE_DATA];
    enum entry r = ENTER;
    *fresh = false;
    pthread_mutex_lock(&c->lock);
    pthread_mutex_lock(&e->lock);
    if (e->task != t) {
        bool next = !e->task && (!e->waiting || e->queue[0] == t);
        if (c->closed || atomic_load(&c->ending) || atomic_load(&c->error)) {
            r = LEAVE;
            for (unsigned i = 0; i < e->waiting; i++)
                if (e->queue[i] == t)
                    queue_drop(e, i--);
        } else if (next) {
            if (e->waiting)
                queue_drop(e, 0);
            e->task = t;
            c->active++;
            *fresh = true;
        } else {
            r = queue_push(e, t) ? WAIT : LEAVE;
        }
    }
    pthread_mutex_unlock(&e->lock);
    pthread_mutex_unlock(&c->lock);
    return r;
}

// The task is not woken any more once this has returned; who is next is.
static void leave(struct work *w, bool was_active)
{
    struct comm *c = w->comm;
    struct engine *e = &c->engines[ENGINE_DATA];
    pthread_mutex_lock(&c->lock);
    pthread_mutex_lock(&e->lock);
    if (was_active) {
        e->task = NULL;
        c->active--;
    }
    if (!e->task && e->waiting)
        library_task_wake(e->queue[0]);
    c->issued -= w->counts;
    pthread_cond_broadcast(&c->cond);
    pthread_mutex_unlock(&e->lock);
    pthread_mutex_unlock(&c->lock);
}

static enum native_turn turn(const void *block, struct native_task *task)
{
    struct work *w = work_of(block);
    struct engine *e = &w->comm->engines[ENGINE_DATA];
    bool fresh;
    enum entry entry = enter(w, task, &fresh);
    if (entry == WAIT)
        return NATIVE_ASLEEP;
    if (entry == LEAVE) {
        leave(w, false);
        return NATIVE_OVER;
    }
    if (fresh)
        engine_begin(e, &w->flows);
    enum progress r = atomic_load(&w->comm->error) ? PROGRESS_FAILED : engine_turn(e, &w->flows);
    if (r == PROGRESS_STALLED)
        return NATIVE_ASLEEP;
    if (r == PROGRESS_LATER)
        return NATIVE_AGAIN;
    if (r == PROGRESS_FAILED)
        engine_break(e); // others learn of it
    leave(w, true);
    return NATIVE_OVER;
}

// A buffer was no memory, or the context was lost before.
static void abandon(const void *block, struct native_task *task)
{
    struct work *w = work_of(block);
    struct comm *c = w->comm;
    struct engine *e = &c->engines[ENGINE_DATA];
    comm_fail(c, ncclUnhandledCudaError, "the device's context has failed");
    pthread_mutex_lock(&e->lock);
    bool active = e->task == task;
    for (unsigned i = 0; i < e->waiting; i++)
        if (e->queue[i] == task)
            queue_drop(e, i--);
    pthread_mutex_unlock(&e->lock);
    if (active)
        engine_break(e);
    leave(w, active);
}

static struct library_task task = LIBRARY_TASK("nccl_work", turn, abandon, struct block);

// ---- launches
static bool is_message(const struct call *c)
{
    return c->kind == CALL_SEND || c->kind == CALL_RECV;
}

static struct work *work_make(const struct call *calls, size_t n)
{
    struct work *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->state = (struct native_state){1, work_free};
    w->comm = comm_retain(calls->comm);
    bool ok = true;
    for (int messages = 0; messages < 2; messages++)
        for (size_t i = 0; i < n; i++)
            if (is_message(&calls[i]) == (messages == 1))
                ok = ok && plan_call(&w->flows, w->comm, &calls[i]);
    if (!ok) {
        work_free(&w->state);
        return NULL;
    }
    return w;
}

// The stream goes on behind what `behind` holds now.
static cudaError_t join(cudaStream_t stream, cudaStream_t behind)
{
    cudaEvent_t event;
    cudaError_t e = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (e)
        return e;
    e = cudaEventRecord(event, behind);
    e = e ? e : cudaStreamWaitEvent(stream, event, 0);
    cudaEventDestroy(event);
    return e;
}

// Streams of other calls of the group, each once: before it they wait for none, after it all wait for the work.
static cudaError_t join_others(const struct call *calls, size_t n, bool before)
{
    cudaError_t e = cudaSuccess;
    for (size_t i = 1; i < n && !e; i++) {
        bool known = false;
        for (size_t k = 0; k < i; k++)
            known |= calls[k].stream == calls[i].stream;
        if (!known)
            e = before ? join(calls->stream, calls[i].stream) : join(calls[i].stream, calls->stream);
    }
    return e;
}

// Behind the communicator's work before it, which may be in another stream.
static cudaError_t follow(struct comm *c, cudaStream_t stream, unsigned long long capture)
{
    cudaError_t e = cudaSuccess;
    if (!c->has_last) {
        e = cudaEventCreateWithFlags(&c->last, cudaEventDisableTiming);
        e = e ? e : cudaEventCreateWithFlags(&c->last_captured, cudaEventDisableTiming);
        c->has_last = !e;
        return e;
    }
    if (stream == c->last_stream)
        return cudaSuccess;
    if (capture)
        return capture == c->last_capture ? cudaStreamWaitEvent(stream, c->last_captured, 0) : cudaSuccess;
    return cudaStreamWaitEvent(stream, c->last, 0);
}

static cudaError_t submit(struct work *w, const struct call *calls, size_t n)
{
    struct comm *c = w->comm;
    cudaStream_t stream = calls->stream;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long capture = 0;
    cudaError_t e = cudaStreamGetCaptureInfo(stream, &status, &capture, NULL, NULL, NULL, NULL);
    bool captured = !e && status == cudaStreamCaptureStatusActive;
    struct block b = {.head.state = &w->state};
    w->counts = !captured;
    e = e ? e : join_others(calls, n, true);
    e = e ? e : follow(c, stream, captured ? capture : 0);
    if (w->counts) {
        pthread_mutex_lock(&c->lock);
        c->issued++;
        pthread_mutex_unlock(&c->lock);
    }
    e = e ? e : library_task_launch(&task, stream, &b);
    if (e && w->counts) {
        pthread_mutex_lock(&c->lock);
        c->issued--;
        pthread_mutex_unlock(&c->lock);
    }
    e = e ? e : cudaEventRecord(captured ? c->last_captured : c->last, stream);
    c->last_stream = stream;
    c->last_capture = captured ? capture : 0;
    return e ? e : join_others(calls, n, false);
}

// Large memory of the device that ranks in other processes of the machine will read becomes memory that they can map. An allocation much larger
// than what is sent of it stays what it is: it would have to be copied whole.
static void make_known(const struct call *c)
{
    enum { LEAST = 1 << 20, SHARE = 16 };
    struct native_file file;
    size_t bytes = c->count * reduce_type_bytes((int)c->type);
    if (!c->comm->neighbours || bytes < LEAST)
        return;
    if (c->send)
        library_file(c->send, bytes * SHARE, &file);
    if (c->recv && c->recv != c->send && (c->kind == CALL_ALL_REDUCE || c->kind == CALL_BROADCAST))
        library_file(c->recv, bytes * SHARE, &file);
}

ncclResult_t work_launch(const struct call *calls, size_t n)
{
    for (size_t i = 0; i < n; i++)
        make_known(&calls[i]);
    struct work *w = work_make(calls, n);
    int device = 0;
    if (!w)
        return fail(ncclSystemError, "out of memory");
    cudaError_t e = cudaGetDevice(&device);
    bool elsewhere = !e && device != w->comm->device;
    if (elsewhere)
        e = cudaSetDevice(w->comm->device);
    e = e ? e : submit(w, calls, n);
    if (elsewhere)
        cudaSetDevice(device);
    if (__atomic_fetch_sub(&w->state.refs, 1, __ATOMIC_ACQ_REL) == 1)
        work_free(&w->state);
    return e ? fail_cuda(e) : ncclSuccess;
}
