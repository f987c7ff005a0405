// SPDX-License-Identifier: Apache-2.0
// What happens in a run, told to tools while it happens: the one source of events for libcupti and nsys. docs/timeline.md has the whole.
//
// 1. Nobody listens: a place that could tell looks at one word, timeline_wanted, and goes on.
// 2. A listener (struct timeline_sink) names the kinds that it wants. Events come on the thread where they end, several at once,
//    complete, in no order; what they point to lives as long as the call. A listener does not block and calls nothing of CUDA.
// 3. Calls of the interfaces have an enter and a leave besides. The outermost call of a thread draws a number, its correlation:
//    calls that it makes itself, such as libcudart's of the driver, have the same one, and so has the work that it submits.
// 4. Times are nanoseconds of os_time_ns().
//
// libcudart and tools get at it through struct timeline_access, which cuGetProcAddress gives by the name heddleTimeline.
#ifndef HEDDLE_BASE_TIMELINE_TIMELINE_H
#define HEDDLE_BASE_TIMELINE_TIMELINE_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum timeline_kind {
    TIMELINE_DRIVER_CALL,
    TIMELINE_RUNTIME_CALL,
    TIMELINE_KERNEL,
    TIMELINE_COPY,
    TIMELINE_FILL,
    TIMELINE_HOST,    // a host function in a stream
    TIMELINE_GRAPH,   // one launch of a graph, from its first node to its last
    TIMELINE_SYNC,    // a thread waits, or a stream is told to
    TIMELINE_MEMORY,  // allocated or given back
    TIMELINE_COMPILE, // code was made of a kernel, or loaded from the cache
    TIMELINE_PART,    // a thread's share of a grid
    TIMELINE_CONTEXT, // these were made, or are about to go
    TIMELINE_STREAM,
    TIMELINE_MODULE,
    TIMELINE_EVENT, // a CUDA event was recorded
    TIMELINE_KINDS
};

// Numbers are those of CUPTI.
enum timeline_memory {
    MEMORY_IS_UNKNOWN,
    MEMORY_IS_PAGEABLE,
    MEMORY_IS_PINNED,
    MEMORY_IS_DEVICE,
    MEMORY_IS_ARRAY,
    MEMORY_IS_MANAGED
};
enum timeline_sync { SYNC_EVENT = 1, SYNC_STREAM_WAIT, SYNC_STREAM, SYNC_CONTEXT };
enum timeline_compile { COMPILE_QUICK, COMPILE_OPTIMISED, COMPILE_LOADED };

struct timeline_event {
    enum timeline_kind kind;
    uint32_t correlation, thread; // thread: the kernel's number of the one on which it ended
    uint32_t device, context, stream;
    uint64_t queued; // when it was submitted, of work in streams
    uint64_t start, end;
    uint64_t graph_node; // 0: it is none of a graph's
    uint32_t graph;
    bool made; // CONTEXT, STREAM, MODULE: made; else it goes. MEMORY: allocated
    union {
        struct {
            uint32_t number; // of the function, as CUPTI has them
            int32_t result;
            const char *name;
        } call;
        struct {
            const char *name;
            uint32_t grid[3], block[3], cluster[3], registers, shared_static, shared_dynamic, local_bytes;
            uint64_t id;
            bool cooperative;
        } kernel; // HOST has a name only
        struct {
            uint64_t bytes;
            uint32_t from_device, to_device;
            enum timeline_memory from, to;
            bool async;
        } copy;
        struct {
            uint64_t bytes;
            uint32_t value;
            enum timeline_memory memory;
            bool async;
        } fill;
        struct {
            enum timeline_sync type;
            uint32_t event;
            void *context, *stream; // handles; NULL: no stream
        } sync;                     // EVENT has the event alone
        struct {
            uint64_t address, bytes;
            enum timeline_memory memory;
            bool async;
        } memory;
        struct {
            const char *name;
            uint64_t bytes;
            enum timeline_compile how;
        } compile;
        struct {
            const char *name;
            uint64_t blocks;
        } part;
        struct {
            void *handle, *context; // context: the handle of whose it is
            int32_t priority;
            uint32_t flags;
            uint32_t id; // of a module
            uint64_t bytes;
            const void *image;
        } object;
    };
};

enum { TIMELINE_SINKS = 4 };

// A call, on the stack of the function that makes it.
struct timeline_call {
    enum timeline_kind kind; // TIMELINE_DRIVER_CALL or TIMELINE_RUNTIME_CALL
    uint32_t number, correlation;
    const char *name;
    const void *params; // a structure of its parameters
    void *result;       // where its result will be
    const char *symbol; // of a launch: the kernel's name; NULL else
    bool nested, told;  // made by another one; anybody listens
    uint64_t start;
    uint64_t data[TIMELINE_SINKS]; // of each listener, its own from enter to leave
};

struct timeline_sink {
    uint32_t kinds; // a bit a kind; changed by timeline_listen
    unsigned slot;  // timeline_listen's
    void (*event)(struct timeline_sink *s, const struct timeline_event *e);
    void (*enter)(struct timeline_sink *s, struct timeline_call *c); // NULL: calls are events only
    void (*leave)(struct timeline_sink *s, struct timeline_call *c);
};

// ---- for those who tell
// Bits of the kinds that anybody wants, and these: anybody listens; is called at enter and leave; calls are counted or written to the log.
#define TIMELINE_CALLED   (1u << 29)
#define TIMELINE_LISTENED (1u << 30)
#define TIMELINE_COUNTED  (1u << 31)
extern atomic_uint timeline_wanted;

static inline bool timeline_wants(enum timeline_kind kind)
{
    return __builtin_expect(atomic_load_explicit(&timeline_wanted, memory_order_relaxed) & 1u << kind, 0);
}
uint64_t timeline_now(void);
// The time, or 0 where nobody wants to know.
static inline uint64_t timeline_since(enum timeline_kind kind)
{
    return timeline_wants(kind) ? timeline_now() : 0;
}
// Fills in the thread and hands it to those that want it. Nothing is told without a start.
void timeline_tell(struct timeline_event *e);
uint32_t timeline_correlation(void); // of the call that this thread is in; 0: none
uint64_t timeline_submitted(void);   // when that began; in none: now
void timeline_enter(struct timeline_call *c);
void timeline_leave(struct timeline_call *c, int32_t result);

// ---- for listeners
// Listens to these kinds from now on; none: no more, though events under way may still come, so that the sink and its code stay. False:
// there are TIMELINE_SINKS already.
bool timeline_listen(struct timeline_sink *s, uint32_t kinds);

struct timeline_access {
    unsigned version; // TIMELINE_VERSION
    atomic_uint *wanted;
    void (*enter)(struct timeline_call *c);
    void (*leave)(struct timeline_call *c, int32_t result);
    bool (*listen)(struct timeline_sink *s, uint32_t kinds);
    uint64_t (*now)(void);
    uint32_t (*correlation)(void);
    // Of handles, as events have them; 0: there is none. stream may be NULL, and is then the context's legacy stream.
    uint32_t (*context_id)(void *context); // NULL: the current one
    uint32_t (*stream_id)(void *stream, bool per_thread);
    uint32_t (*device_id)(void *context);
    uint32_t (*graph_id)(void *graph, bool exec);
    uint64_t (*graph_node_id)(void *node);
    // cuInit loads the tool that CUDA_INJECTION64_PATH names, once. For a thread that holds a lock of its own meanwhile: it puts that off until
    // it calls inject().
    void (*put_off)(bool on);
    void (*inject)(void);
};
// What libcuda exports.
typedef const struct timeline_access *timeline_access_fn(void);
enum { TIMELINE_VERSION = 1 };
#endif
