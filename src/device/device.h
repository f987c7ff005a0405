// SPDX-License-Identifier: Apache-2.0
// The device engine as the driver sees it: memory, queues of operations, and kernels run by a pool of workers.
//
// Threads: everything here may be called from any thread. Objects with retain/release are counted.
#ifndef HEDDLE_DEVICE_DEVICE_H
#define HEDDLE_DEVICE_DEVICE_H
#include "base/timeline/timeline.h"
#include "jit/jit.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- memory/memory.c: every range that the API hands out or is told of
enum memory_kind {
    MEMORY_DEVICE = 1,
    MEMORY_HOST = 2,
    MEMORY_MANAGED = 4,
    MEMORY_REGISTERED = 8,
    MEMORY_MODULE = 16,
    MEMORY_HEAP = 32
}; // of a kernel's malloc, in a checked process alone

struct memory_range {
    char *base;
    size_t size; // as asked for
    enum memory_kind kind;
    unsigned flags; // the caller's (host alloc flags, ...)
    int device;
    void *owner;  // the caller's (the context)
    uint64_t id;  // unique, for CU_POINTER_ATTRIBUTE_BUFFER_ID
    bool adopted; // the caller's memory, which may have other addresses too
};

// Zero-size and too large requests return NULL. Aligned to 256 at least; ends against an inaccessible guard page where
// the size is large enough for a mapping of its own (a page or more). Such memory is zeroed, but for device memory, which may hold what
// it held before. Device memory counts against
// the device's limit.
void *memory_alloc(enum memory_kind kind, size_t size, int device, void *owner, unsigned flags);
// The same, below 4 GiB: its address has 32 bits.
void *memory_alloc_low(enum memory_kind kind, size_t size, int device, void *owner, unsigned flags);
// kinds: mask of kinds that may be freed this way. False: base is not the start of such a range.
bool memory_free(void *base, unsigned kinds);
size_t memory_owned(void *owner, unsigned flags); // bytes of device memory with these flags
void memory_free_owner(void *owner);
// Takes device memory off the list and keeps its pages; NULL: it has no mapping of its own, others share it, or there is
// no memory for the note.
struct memory_kept *memory_keep(void *base);
size_t memory_kept_size(const struct memory_kept *kept);
// Hands kept memory out again, with what it holds; NULL: the size is not the kept one's, rounded. Else `kept` is gone.
void *memory_reuse(struct memory_kept *kept, size_t size, void *owner, unsigned flags);
void memory_discard(struct memory_kept *kept);
// Memory that stays the caller's is listed as the given kind; freeing takes it off the list. False: overlaps a known range.
bool memory_adopt(enum memory_kind kind, void *base, size_t size, int device, void *owner, unsigned flags);
bool memory_register(void *base, size_t size, int device, void *owner, unsigned flags); // false: overlaps a known range
bool memory_unregister(void *base);
bool memory_find(const void *address, struct memory_range *out); // the range that holds the address
// Calls f for every range, in the order of their addresses, under the list's lock.
void memory_each(void (*f)(const struct memory_range *r, void *data), void *data);
// Gives whole pages back to the operating system, if they are memory of this number still.
void memory_release_pages(void *address, size_t bytes, uint64_t id);
bool memory_nearest(const void *address,
                    struct memory_range *out); // the same, or the one next to it; false: there are none
// Of a checked process (check/check.h): memory that was freed and not handed out since; what lies between small ranges.
bool memory_freed(const void *address, struct memory_range *out);
bool memory_is_spare(const void *address);
// Makes a range with a mapping of its own a part of a file without a name, at the same address, and says where in it `address` lies. What is
// under way may use it meanwhile: writers wait (fault/hold.h). idle: nothing is, so that it does not matter whether they can.
struct memory_file {
    int fd; // stays the range's own
    uint64_t inode;
    size_t offset, left; // of the address, and from there to the range's end
};
bool memory_share(void *address, bool idle, struct memory_file *out);
bool memory_file(const void *address, struct memory_file *out); // the same of one that is a file's already
// Counts memory that is made elsewhere against the device's limit, or gives it back. False: there is not so much.
bool memory_charge(int device, size_t bytes, bool take);
void memory_usage(int device, size_t *free_bytes, size_t *total);

// ---- sched/queue.c: operations in order, and what they wait for
struct op;
struct order;
struct op_link {
    struct op *op;
    struct op_link *next;
};
enum op_flags {
    OP_HOST = 1,   // runs user code: only on the callback thread, never on a worker or a thread that waits
    OP_ASYNC = 2,  // run() only starts it; op_finish() is called when it is over
    OP_NESTED = 4, // launched by a kernel (nested.c)
    OP_TOUCHES = 8 // tells what memory it touches (order/order.h)
};
struct op {
    atomic_uint refs;
    atomic_uint pending;            // things it still waits for
    atomic_uint done;               // 0, 1; a futex
    atomic_uint sleepers;           // threads asleep on done
    unsigned flags;                 // enum op_flags, set before submission
    void (*run)(struct op *op);     // on a worker, or on a thread that waits; NULL: nothing to do
    void (*destroy)(struct op *op); // frees what the op owns (not the op itself); may be NULL
    _Atomic(struct op_link *) waiters;
    struct op_link queue_link; // in the waiters of the queue's previous op, with the queue's reference to that
    struct op *ready_next;
    uint64_t finished_ns;                // os_time_ns when it was done
    struct plan_step *step;              // of a plan; NULL: an op of a queue
    const struct queue *queue;           // whose it is; only to be compared
    struct order *order;                 // its place among others (order/order.h), in checked processes
    uint64_t (*estimate)(struct op *op); // nanoseconds that run() may take, for plans; NULL: hardly any
    // What tools are told when it is over (op_event.c); NULL: nobody wants to know. It fills in what the op's kind has.
    void (*describe)(const struct op *op, struct timeline_event *e);
    struct op_trace {
        uint64_t queued, start, graph_node;
        uint32_t correlation, context, stream;
        uint16_t registers; // of kernels
        uint8_t device;
    } trace;
};
// An op of `size` bytes (a struct that begins with struct op), zeroed, one reference owned by the caller.
struct op *op_create(size_t size, void (*run)(struct op *), void (*destroy)(struct op *));
// The same, where only the first `head` bytes are zeroed.
struct op *op_create_headed(size_t size, size_t head, void (*run)(struct op *), void (*destroy)(struct op *));
struct op *op_retain(struct op *op);
void op_release(struct op *op);
bool op_done(struct op *op);
void op_wait(struct op *op);                       // runs what its queue holds before it meanwhile
void op_finish(struct op *op);                     // OP_ASYNC only: what waits for it may go on
void op_finish_at(struct op *op, uint64_t now_ns); // the same, for one who has just looked at the clock

// ---- sched/op_event.c: what tools are told of an op; for those that run ops and end them
void op_event_begin(struct op *op);
void op_event_end(struct op *op, uint64_t now_ns); // 0: the caller has not looked at the clock

// Before the op is submitted, or its plan started: it waits for dep as well.
void op_wait_for(struct op *op, struct op *dep);
// The same with memory that malloc gave, which is freed.
void op_wait_linked(struct op *op, struct op *dep, struct op_link *link);
// From run() of an OP_ASYNC op: it is not over, run() is to be called again behind what is ready now.
void op_again(struct op *op);
// Runs an op that no queue holds.
void op_start(struct op *op);
// An op that no queue holds: from now on others may wait for it, until op_finish().
void op_open(struct op *op);
// The same in two steps: in between, op_wait_for. Threads that wait for the queue's work help with it.
void op_submit_begin(struct op *op, const struct queue *queue);
void op_submit_end(struct op *op);

struct queue; // a stream
struct queue *queue_create(int priority);
// Waits for nothing: pending operations still run; the queue is freed after the last.
void queue_destroy(struct queue *q);
// Appends the op: it runs after the queue's previous op and after each of deps. Takes no reference from the caller.
void queue_submit(struct queue *q, struct op *op, struct op *const *deps, size_t ndeps);
// The same, and takes over the caller's reference: for one who does not look at the op again.
void queue_give(struct queue *q, struct op *op, struct op *const *deps, size_t ndeps);
// The op takes the next place and is not run: what is submitted later waits until its owner calls op_finish(), which takes the
// caller's reference. *before: the previous op, retained; NULL when all is done. With `idle` only if all is done: else false.
bool queue_hold(struct queue *q, struct op *op, bool idle, struct op **before);
struct op *queue_last(struct queue *q); // retained; NULL when nothing was ever submitted or all is done
void queue_wait(struct queue *q);
bool queue_idle(struct queue *q);

// ---- sched/plan.c: operations with fixed dependencies, run again and again
struct plan;
struct plan_edge {
    uint32_t from, to;
};
// One step for each op, of which the plan takes a reference; edges lead from earlier to later steps. run() of each op is
// called again for every start of the plan.
struct plan *plan_create(struct op *const *ops, uint32_t n, const struct plan_edge *edges, size_t nedges);
// The plan is not under way: another op for a step.
void plan_replace(struct plan *p, uint32_t step, struct op *op);
struct op *plan_op(struct plan *p, uint32_t step);
// The plan is not under way: the step waits for dep too, the next time.
void plan_step_wait(struct plan *p, uint32_t step, struct op *dep, struct op_link *link);
// Runs steps on this thread and others; returns perhaps before the end. done(data) is called once, by any thread, when all
// steps are over; it may start the plan again or destroy it.
void plan_start(struct plan *p, void (*done)(void *data), void *data);
// Before it is started: the places of its steps, by their numbers, or one for all (order/order.h).
void plan_order(struct plan *p, struct order *const *each, struct order *all);
// Before it is started: whose run it is, for the events of its steps; NULL: nobody wants to know.
void plan_run_of(struct plan *p, const struct op *launch);
const struct op *plan_run(const struct op *step);
void plan_destroy(struct plan *p);

// ---- sched/launch.c: kernels
enum device_fault {
    FAULT_NONE,
    FAULT_ILLEGAL_ADDRESS,
    FAULT_STACK, // overflow; a GPU tells no difference from FAULT_ILLEGAL_ADDRESS
    FAULT_MISALIGNED,
    FAULT_TRAP, // trap, unreachable code
    FAULT_ASSERT,
    FAULT_ILLEGAL_INSTRUCTION,
    FAULT_NOT_SUPPORTED,
    FAULT_OUT_OF_MEMORY,
    FAULT_TIMEOUT, // HEDDLE_LAUNCH_TIMEOUT
    FAULT_CHECKED  // compute-sanitizer has told of an error
};

// Where faults of a context are kept: the first one stays. message names kernel, block, thread, address, line and allocation, each
// where it is known.
struct fault_state {
    atomic_uint fault;
    char message[512];
};

// A thread of a kernel that calls the runtime interface, and whose children nested.h speaks of.
struct device_thread {
    struct nested *nested;
    void *data; // launch_desc.device_api_data
    uint64_t block;
    uint32_t thread;
};
// function: a row of jit/abi/device_api.def; args: one word each.
typedef uint64_t device_api_fn(const struct device_thread *t, uint32_t function, const uint64_t *args);

// The order in which one thread runs the blocks (clusters) of a grid, one after the other: those from `from` to before `to` by
// start, start + step, start + 2 step ..., modulo their number, to which step has no common divisor; the others where they are.
struct launch_order {
    uint64_t from, to, start, step;
};
struct count_desc;
struct launch_desc {
    struct jit_code *code;
    const char *kernel;           // its name, for messages; must live as long as the op
    const void *args;             // copied
    size_t args_size, args_align; // align: 0 for what 16 will do for
    void *const *globals;         // must live as long as the op
    uint32_t grid[3], block[3], cluster[3];
    uint32_t dynamic_shared;
    bool cooperative;                     // every block is resident at once; grid workspace in envreg
    struct fault_state *faults;           // must live as long as the op
    void (*done)(void *data, unsigned n); // called after n such ops are destroyed; may be NULL (releases the module)
    void *done_data;
    void (*drop)(const void *args); // called before the op's copy of the arguments goes; may be NULL
    device_api_fn *device_api;      // answers the kernel's calls of the runtime interface
    void *device_api_data;
    const struct launch_order *order; // NULL: any order, on several threads; copied
    const struct count_desc *count;   // count/count.h; NULL: it is not counted; copied
};
// NULL: out of memory. The op skips its work when faults already holds one.
struct op *launch_op_create(const struct launch_desc *desc);
void launch_op_describe(const struct op *op, struct timeline_event *e); // for op.describe

// ---- sched/task.c: work in turns, which waits for something outside the engine
enum task_turn { TASK_OVER, TASK_AGAIN, TASK_ASLEEP };
struct task_desc {
    const char *name;      // for messages; must live as long as the op
    struct jit_code *code; // where faults are looked up
    const void *args;      // copied
    size_t args_size;
    struct fault_state *faults;                                // must live as long as the op
    enum task_turn (*turn)(const void *args, struct op *task); // native.h has the contract
    void (*abandon)(const void *args, struct op *task);
    void (*done)(void *data, unsigned n); // as in launch_desc
    void *done_data;
    void (*drop)(const void *args);
};
struct op *task_op_create(const struct task_desc *d); // NULL: out of memory
void task_op_describe(const struct op *op, struct timeline_event *e);
void task_wake(struct op *task);

// ---- fault/watchdog.c
unsigned watchdog_seconds(void); // what a kernel may take; 0: there is no limit

// ---- sched/pool.c
unsigned pool_workers(void); // threads that run work at once, at most
bool pool_start(void);       // starts them; false: there is no memory for it, and it may be tried again

// ---- sched/bulk.c: work on memory, shared by threads where it is large
// part() for units 0 ... units - 1, in any order and on any thread; over on return.
void bulk_run(size_t units, size_t unit_bytes, void (*part)(const void *what, size_t first, size_t n),
              const void *what);
void bulk_copy(char *dst, const char *src, size_t bytes); // as memmove

// ---- hook/output.c: device printf is kept in order and written to stdout here
void output_flush(void);
bool output_begun(void);     // a kernel has printed
void output_mute(bool mute); // what kernels print meanwhile is dropped

// ---- memory/heap.c: the device-side malloc
bool heap_limit_set(size_t bytes); // false once a kernel has run
size_t heap_limit(void);
#endif
