// SPDX-License-Identifier: Apache-2.0
// The objects behind the driver API's handles, and what the files of this folder use of each other.
//
// Threads: everything may be called from any thread. A launch takes no lock but its stream's; lists are guarded by the
// lock of their context.
#ifndef HEDDLE_DRIVER_DRIVER_H
#define HEDDLE_DRIVER_DRIVER_H
#define __CUDA_API_VERSION_INTERNAL // names mean what they say
#include "../../include/cuda.h"
#include "../../include/heddle/driver/gl.h"
#include "base/diag.h"
#include "base/log.h"
#include "base/vec.h"
#include "device/check/check.h"
#include "device/device.h"
#include "device/order/order.h"
#include "driver/context/handle.h"
#include <pthread.h>
#include <string.h>

// Prototypes of the bodies, from the table.
#define API_ARGS(...)                                     __VA_ARGS__
#define API(name, suffix, since, body, params, args)      CUresult body params;
#define API_PTDS(name, suffix, since, body, params, args) CUresult body(API_ARGS params, CUstream stream);
#define NARROW_CALL(name, suffix, since, body, params, args)
#include "driver/api.def"

struct graph_node;
struct graph_edge { // a neighbour of a node in a graph
    struct graph_node *node;
    CUgraphEdgeData data;
};

// A node of a list; lists are circular with a head.
struct node {
    struct node *prev, *next;
};
static inline void list_init(struct node *head)
{
    head->prev = head->next = head;
}
static inline void list_add(struct node *head, struct node *n)
{
    n->prev = head->prev;
    n->next = head;
    head->prev->next = n;
    head->prev = n;
}
static inline void list_remove(struct node *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    n->prev = n->next = n;
}
// The structure that holds the node at this offset.
static inline void *list_at(struct node *n, size_t offset)
{
    return (char *)n - offset;
}

// ---- devices (init.c, device.c)
enum { DEVICE_LIMIT = 64 };
enum {
    MAX_BLOCK_THREADS = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    SHARED_DEFAULT = 48 << 10,
    SHARED_OPTIN = 227 << 10,
    SHARED_SM = 228 << 10,
    SHARED_RESERVED = 1 << 10,
    SM_THREADS = 2048,
    SM_BLOCKS = 32,
    SM_REGISTERS = 65536,
    CLUSTER_PORTABLE = 8,
    CLUSTER_LIMIT = 16,
    PARAM_LIMIT = 32764,
    SYNC_DOMAINS = 4,
    PRIORITY_GREATEST = -5,
    ACCESS_WINDOW_MOST = 128 << 20
};
bool driver_ready(void);         // cuInit has succeeded
bool driver_threads_begin(void); // from now on, children of this process have nothing; false: there is no memory
enum driver_phase {
    DRIVER_EARLY,   // no thread of the driver's yet: calls are counted
    DRIVER_RUNNING, // since driver_threads_begin
    DRIVER_FORKED,  // a child of a process that had such threads, or a call under way
};
extern _Atomic(enum driver_phase) driver_phase;
bool driver_early_enter(void); // a call begins; false: it need not be counted
void driver_early_leave(void);
int device_count(void);           // visible ones
unsigned device_capability(void); // 90 for 9.0
int device_sms(void);
bool driver_launch_blocking(void);
unsigned driver_width(void); // HEDDLE_WIDTH, or 0
static inline bool device_valid(CUdevice d)
{
    return d >= 0 && d < device_count();
}

// ---- contexts (context.c, current.c, wait.c)
struct fault_box { // outlives the context while kernels refer to it
    atomic_uint refs;
    struct fault_state state;
};
void fault_box_release(struct fault_box *b);

struct stream;
struct context {
    CUcontext handle;
    uint64_t id;
    int device;
    bool primary;
    bool narrow;        // made by cuCtxCreate of before version 3.2: its memory has addresses of 32 bits
    atomic_bool active; // primary ones: retained
    unsigned flags;
    atomic_int attached; // cuCtxAttach
    _Atomic(struct fault_box *) faults;
    pthread_mutex_t lock; // of the lists
    struct node streams, events, modules, arrays, texture_refs;
    struct VEC(struct texture *) retired; // texture descriptors that kernels under way may still read
    struct VEC(struct op *) orphans;      // last operations of streams destroyed while they had work; has room for all
    size_t nstreams;                      // in the list
    struct order_line *gone;              // what streams that are gone have done; in checked processes
    atomic_uint norphans;
    struct stream *legacy;
    atomic_uint blocking_streams; // those that wait for the legacy stream, and it for them
    atomic_ullong legacy_count;   // operations submitted to the legacy stream
    atomic_ullong legacy_idle;    // value of legacy_count at which it was last seen idle
    atomic_size_t limits[CU_LIMIT_MAX];
    struct VEC(uint64_t) peers; // numbers of the contexts that access was enabled to
    atomic_int cache_config, shared_config;
};

// The current context for a call that needs one: errors are "not initialised", "none", "destroyed", or the fault that
// it has had.
CUresult context_enter(struct context **out);
// The same without the check for faults.
CUresult context_peek(struct context **out);
// CUDA_SUCCESS, or the error that stands for the fault.
CUresult context_fault(struct context *c);
struct context *context_get(CUcontext handle); // NULL: not a live context
struct context *context_primary(int device);   // the object, perhaps not active; NULL: no memory for it
void context_wait(struct context *c);          // all work submitted so far; device output is written
void context_leave(const struct context *c);   // it is no longer this thread's current one

// ---- streams and events (stream.c, event.c)
struct stream {
    struct node node;
    CUstream handle;
    struct context *context;
    struct queue *queue;
    struct order_line *order; // in checked processes
    unsigned flags;
    int priority;
    uint64_t id;
    bool legacy, per_thread;
    CUaccessPolicyWindow window; // this and what follows is kept and given back
    CUsynchronizationPolicy sync_policy;
    CUlaunchMemSyncDomain domain;
    CUlaunchMemSyncDomainMap domain_map;
    _Atomic(struct capture *) capture;   // NULL: work is carried out
    struct VEC(struct graph_edge) heads; // captured so far: what the next node comes behind
};
static inline bool stream_captured(struct stream *s)
{
    return __builtin_expect(atomic_load_explicit(&s->capture, memory_order_relaxed) != NULL, 0);
}
struct event {
    struct node node;
    CUevent handle;
    struct context *context;
    uint32_t id;
    unsigned flags;
    pthread_mutex_t lock;
    struct op *op;           // NULL: never recorded
    struct event_file *file; // of an event that processes share, else NULL: see event_file.c
    // Recorded in a stream that is captured: in which capture (0: none), and behind which nodes.
    uint64_t capture;
    struct VEC(struct graph_edge) heads;
};

// limit.c
void limits_reset(struct context *c);
// Whether a window may be set, for a stream, a launch or a node of a graph.
CUresult access_policy_check(const CUaccessPolicyWindow *w);

struct stream *stream_make(struct context *c, unsigned flags, int priority);
// Its work goes on; the context's waits know of it.
void stream_free(struct stream *s);
// The stream for a handle, LEGACY and PER_THREAD included, in the current context; c may be NULL. Checks faults.
CUresult stream_enter(CUstream handle, struct stream **out);
// Submits with the rules between the legacy stream and the others; keeps the caller's reference. extra: one more
// operation to wait for, or NULL.
void stream_submit(struct stream *s, struct op *op, struct op *extra);
void stream_give(struct stream *s, struct op *op); // takes over the reference
// Waits for everything that an operation submitted now would wait for.
void stream_drain(struct stream *s);
// For what the caller does itself: its turn in the stream until stream_turn_end. What other threads submit meanwhile comes later.
// stream_turn waits for what is before it, and gives NULL when there is no memory; stream_turn_idle gives NULL when it would have to wait.
struct op *stream_turn(struct stream *s);
struct op *stream_turn_idle(struct stream *s);
void stream_turn_end(struct op *turn);
bool stream_is_idle(struct stream *s);
// What does nothing but stand in the stream. In the legacy stream it separates what blocking streams were given before from what they are
// given later; elsewhere it is not missed, and nothing is submitted.
CUresult stream_separate(struct stream *s);
// In checked processes: the operation's place in the stream, behind `extra` too; and the program has waited for what the stream holds.
void stream_order(struct stream *s, struct op *op, const struct op *extra);
void stream_known(struct stream *s);
CUresult event_make(struct context *c, unsigned flags, struct event_file *file, struct event **out);
void event_free(struct event *e);
bool event_is_of(CUevent event, const struct stream *s); // there, and of the stream's context
// Events that processes share (event_file.c).
struct event_file *event_file_make(void);
void event_file_close(struct event_file *f);
// What another process opens it by; and opens one of another process.
CUresult event_file_handle(struct event_file *f, CUipcEventHandle *out);
CUresult event_file_open(const CUipcEventHandle *handle, struct event_file **out);
struct op *event_file_record(struct event_file *f); // an op for the stream; it marks the event done
uint64_t event_file_state(struct event_file *f);    // the number of the last record so far
bool event_file_done(struct event_file *f, uint64_t state);
struct op *event_file_wait(struct event_file *f, uint64_t state); // an op that ends when that record is done
// The last recorded operation, retained; NULL: none.
struct op *event_op(struct event *e);
void event_set_op(struct event *e, struct op *op); // takes over a reference

// ---- code (module/)
struct jit_log { // what the caller's JIT options ask for
    char *info, *error;
    size_t info_size, error_size;
    void **info_size_out, **error_size_out, **wall_time_out; // where the answers go; may be NULL
    uint64_t began;
    bool debug;
};
CUresult jit_log_parse(struct jit_log *log, unsigned count, CUjit_option *options, void **values);
// Fills the buffers from the diagnostics; errors also go to stderr where HEDDLE_LOG asks.
void jit_log_write(struct jit_log *log, const struct diag *d);

// One kernel of an image: what its PTX says.
struct param {
    uint32_t offset, size;
};
struct kernel_info {
    const struct ptx_func *ptx;
    struct param *params;
    uint32_t nparams, param_bytes, param_align;
    uint32_t max_threads, required[3]; // required: 0, or the only block shape
    bool lacking;                      // it needs what Heddle has not, see image_check
    struct native *native;             // its code is a function of C (native.c); NULL: its code is made of the PTX
    atomic_bool known;                 // facts are there
    struct jit_kernel_facts facts;
    struct count_plan *counts; // by which it is counted (image_counts); NULL: nobody has asked
};

// A parsed program, shared by the modules made of it in several contexts.
struct image {
    atomic_uint refs;
    struct ptx_module *ptx; // perhaps an outline: see jit_module_whole
    struct jit_module *jit;
    char *text; // of which ptx was made
    bool debug;
    uint32_t const_bytes;
    struct kernel_info *kernels;
    uint32_t nkernels;
    pthread_mutex_t lock; // of the facts
};
// data: PTX text, a fat binary or its wrapper; size 0: unknown. d has the messages.
CUresult image_load(const void *data, size_t size, struct image **out, struct diag *d);
// The same, with JIT options; messages go to their buffers, and to stderr where HEDDLE_LOG asks.
CUresult image_load_options(const void *data, size_t size, unsigned count, CUjit_option *options, void **values,
                            struct image **out);
// One image of several PTX texts, which it takes over.
struct text {
    char *data;
    size_t size;
    const char *name;
    struct hash128 hash; // where it was asked for
};
CUresult image_link(struct text *texts, size_t n, struct image **out, struct diag *d);
// CUDA_ERROR_NOT_SUPPORTED, with a message, where the kernel cannot be compiled.
CUresult image_kernel_check(const struct image *i, const struct kernel_info *k);
struct image *image_retain(struct image *i);
void image_release(struct image *i);
struct kernel_info *image_kernel(const struct image *i, const char *name);
const struct jit_kernel_facts *image_facts(struct image *i, struct kernel_info *k);
// The plan by which the kernel is counted, of the whole module; NULL: that cannot be read. Both live as long as the image.
const struct count_plan *image_counts(struct image *i, struct kernel_info *k, const struct ptx_module **whole);
CUresult diag_result(const struct diag *d);
CUresult file_error(void); // by errno, for a file that could not be read

enum { VARIANT_LIMIT = 8 };
struct variant {
    uint32_t shape; // see shape_key in function.c
    struct jit_code *code;
};

// What cuFuncSetAttribute and cuKernelSetAttribute set.
struct attributes {
    atomic_int shared_limit; // dynamic shared memory a launch may ask for; -1: not set
    atomic_int carveout, any_cluster, cluster_policy, cluster[3];
};

struct module;
struct function {
    _Alignas(16) CUfunction handle; // they lie in an array, and handles want 16
    struct module *module;
    struct kernel_info *info;
    struct attributes attributes;
    pthread_mutex_t lock; // of compilation
    atomic_uint nvariants;
    struct variant variants[VARIANT_LIMIT];
    _Atomic(struct jit_code *) generic[2]; // and checked
    struct {                               // the old launch interface
        uint32_t block[3], shared, size;
        char *args;
    } old;
};

struct library;
struct texture_ref;
struct module {
    struct node node;
    CUmodule handle;
    uint32_t id;
    struct context *context; // while the handle lives
    struct fault_box *faults;
    struct image *image;
    void **globals;
    char *descriptors;             // of functions: 16 bytes each, only their addresses count
    struct function *functions;    // as image->kernels
    struct library *library;       // or NULL
    struct texture_ref **textures; // its texture and surface references
    uint32_t ntextures;
    atomic_bool textures_changed; // since the last launch
    char pad[64];                 // launches read what is above, and write below
    atomic_uint refs;             // the handle, and each launch under way
};
CUresult module_make(struct context *c, struct image *i, struct library *library, struct module **out);
// Takes the handles away; memory and code go with the last launch under way.
void module_drop(struct module *m);
void module_release(struct module *m, unsigned n); // n references
// The kernel whose address device code has; NULL: it is not one of this module's kernels.
struct function *module_descriptor(struct module *m, uint64_t address);
CUresult module_variable(struct module *m, const char *name, bool managed, CUdeviceptr *address, size_t *bytes);

// The function for a CUfunction, or for a CUkernel in the current context.
CUresult function_get(CUfunction handle, struct function **out);
// Compiled code for this block shape; compiles on the first use.
CUresult function_code(struct function *f, const uint32_t grid[3], const uint32_t block[3], const void *args,
                       struct jit_code **out);
// Code of its own for these options: width, compat, descending; the rest is as for any launch of this shape.
CUresult function_code_with(struct function *f, const uint32_t block[3], const struct jit_options *options,
                            struct jit_code **out);
void attributes_init(struct attributes *a, const struct ptx_func *f);
CUresult attributes_get(const struct attributes *a, struct image *i, struct kernel_info *k, CUfunction_attribute which,
                        int *value);
CUresult attributes_set(struct attributes *a, struct image *i, struct kernel_info *k, CUfunction_attribute which,
                        int value);

// ---- native kernels (native.c): code for a block shape; the state in an argument block
struct jit_code *native_code(struct native *n, const uint32_t block[3]);
struct op *native_op_create(const struct native *n,
                            const struct launch_desc *l);          // any kernel's: n is NULL but for native ones
void native_retain(const struct kernel_info *k, const void *args); // any kernel's
bool native_is_task(const struct native *n);                       // NULL is none
void native_release(const void *args);                             // a native one's

struct kernel {
    CUkernel handle;
    struct library *library;
    struct kernel_info *info;
    struct attributes attributes;
    _Atomic(struct function *) primary[]; // by device: its function in the primary context, once known
};
void library_retain(struct library *l);
void library_release(struct library *l);
void library_forget(struct library *l, struct module *m);
// The host's memory for a managed variable; NULL: the module has its own.
void *library_bound(const struct library *l, uint32_t variable);
CUresult kernel_function(struct kernel *k, struct function **out); // in the current context

// ---- launches (launch.c)
struct launch_request {
    uint32_t grid[3], block[3], cluster[3], shared;
    bool has_cluster; // by an attribute of the launch
    bool cooperative;
    bool node;                           // of a graph
    CUevent record[2];                   // recorded behind the kernel, or NULL
    const CUlaunchAttribute *attributes; // those given, for nodes of graphs
    unsigned nattributes;
};
// Shape, cluster and residency; fills in the cluster.
CUresult launch_check(struct function *f, struct launch_request *q);
// Is there so much shared memory? Of a kernel that is not compiled yet, by its PTX.
CUresult launch_shared_check(struct function *f, const struct launch_request *q);
// Is there so much: of the kernel's own and of what the launch asks for.
CUresult launch_shared_fits(const struct function *f, uint32_t fixed, uint32_t dynamic);
// Static and dynamic shared memory together that a kernel may have whose attributes say nothing of it. Texts with more static shared
// memory than ptxas takes are the JIT's alone.
static inline uint32_t shared_most(uint32_t fixed)
{
    return fixed > SHARED_DEFAULT ? SHARED_OPTIN : SHARED_DEFAULT;
}
CUresult cluster_check(const struct function *f, struct launch_request *q);
CUresult launch_attribute(const CUlaunchAttribute *a, struct launch_request *q);
// The parameter block in *out: the caller's own, or args, which has room for it.
CUresult launch_pack(const struct kernel_info *k, void **params, void **extra, char *args, const void **out);
// An op with one reference that runs the kernel; args are copied.
CUresult launch_op_make(struct function *f, const struct launch_request *q, const void *args, struct op **out);
// The same with what a launch seldom has of its own.
struct launch_special {
    struct jit_code *code;
    const struct launch_order *order; // or NULL
    struct fault_state *faults;       // in place of the context's
};
CUresult launch_op_special(struct function *f, const struct launch_request *q, const void *args,
                           const struct launch_special *special, struct op **out);

// ---- what a launch is counted by, for ncu (launch/count.c); plan NULL: it is not counted
struct count_desc;
void launch_count(struct function *f, const struct launch_request *q, struct count_desc *d);
// How many blocks of this size and so much shared memory a multiprocessor would hold, by each of its limits.
struct occupancy_limits {
    int blocks, warps, registers, shared;
};
void occupancy_limits(const struct jit_kernel_facts *facts, int block_size, size_t shared, struct occupancy_limits *l);

// ---- kernels that call the runtime interface (device_runtime.c); data is the module
device_api_fn device_runtime_call;

// ---- memory (memory/)
// Memory of a context; low: its address must have 32 bits, as all of a narrow context's have.
void *context_alloc(struct context *c, enum memory_kind kind, size_t bytes, void *owner, unsigned flags, bool low);
// cuMemAlloc and cuMemAllocPitch, with an address of 32 bits.
CUresult mem_alloc_low(CUdeviceptr *address, size_t bytes);
CUresult mem_alloc_pitch_low(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element_size);
// Flag of managed ranges that are variables of a module: their owner is the module, else a context.
enum { RANGE_OF_MODULE = 0x100 };
// Flags of device memory that belongs to a graph or is mapped by the program: its owner is none that matters elsewhere.
enum { RANGE_OF_GRAPH = 0x10000, RANGE_MAPPED = 0x20000, RANGE_READ_ONLY = 0x40000 };
// The context that a range belongs to, or NULL: a variable of a module.
static inline struct context *range_context(const struct memory_range *r)
{
    bool module = r->kind == MEMORY_MODULE || (r->kind == MEMORY_MANAGED && r->flags & RANGE_OF_MODULE) ||
                  (r->kind == MEMORY_DEVICE && r->flags & (RANGE_OF_GRAPH | RANGE_MAPPED));
    return module ? NULL : r->owner;
}
// The one mapping of several side by side that holds the address; unchanged where there is none.
void vmm_mapping(const void *address, char **base, size_t *size);
// Mapped by the program, and not to be written.
static inline bool range_read_only(const struct memory_range *r)
{
    return r->kind == MEMORY_DEVICE && r->flags & RANGE_READ_ONLY;
}
// Whether [address, address + bytes) lies in one known range; *out is the range at address, if any (size 0: none).
bool range_holds(const void *address, size_t bytes, struct memory_range *out);
// Memory of a pool is marked with its number; the pool counts it.
void mempool_count(unsigned number, int64_t bytes);
void mempools_release(void);             // after a wait: what pools keep beyond their thresholds goes back
bool mempools_release_all(int device);   // false: nothing was kept
void mempools_forget(struct context *c); // its allocations are about to go
bool mempool_imported(CUmemoryPool pool);
bool mempool_shared_address(CUdeviceptr address); // memory of a pool that other processes may import
// Asynchronous copies that have read their source when they return, whatever memory it is.
CUresult memcpy_any_early(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream);
CUresult memcpy_3d_early(const CUDA_MEMCPY3D *copy, CUstream stream);
// Ops with one reference that copy, fill or call; they may be run again and again.
CUresult copy_op_make(const CUDA_MEMCPY3D *copy, struct op **out);
CUresult fill_op_make(const CUDA_MEMSET_NODE_PARAMS_v2 *params, struct op **out);
struct op *host_op_make(CUhostFn function, void *data);
CUresult memop_op_make(const CUstreamBatchMemOpParams *list, unsigned count, struct op **out);
// From run() of an OP_ASYNC op that waits for something outside the process's own order: run() is called again, soon.
void poll_again(struct op *op);
// The turn of work of so many bytes that the calling thread is to do at once (stream_turn_idle), or NULL: it is too much, or has to wait.
struct op *copy_inline(struct stream *s, size_t bytes);
#endif
