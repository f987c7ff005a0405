// SPDX-License-Identifier: Apache-2.0
// Counted kernels, for ncu (docs/ncu.md): what the engine does with what their code tells it. Everything here is asked only where
// count_wanted, which is so in a process that an ncu has started.
//
// Code tells which way each thread goes; warps are put together from that alone (warp.c), so that counts do not depend on how many lanes a
// gang has, which gang ran first, or what the optimiser made of the code.
#ifndef HEDDLE_DEVICE_COUNT_COUNT_H
#define HEDDLE_DEVICE_COUNT_COUNT_H
#include "device/device.h"
#include "jit/abi/count.h"
#include "jit/translate/reach/count.h"

struct resident;

extern bool count_wanted;
void count_prepare(void);

// What the driver knows of a launch.
struct count_desc {
    const struct count_plan *plan; // NULL: the launch is not counted; lives as long as the op
    bool native;                   // a library's own kernel: it is told that it ran, though nothing of it is counted
    const struct ptx_module *ptx;
    uint32_t registers, local_bytes;
    int limit_blocks, limit_warps, limit_registers, limit_shared; // of blocks on a multiprocessor, each
    uint32_t sms, sm_warps, capability;
    uint32_t shared_reserved;
};

// Sectors of global memory, by pages of 4096 bytes (cache.c).
enum { COUNT_PAGE_WORDS = 2 };
struct count_page {
    uint64_t number, sectors[COUNT_PAGE_WORDS];
    bool used;
};
struct count_pages {
    struct count_page *page, *last;
    size_t room, len; // a power of two; used ones
};
// What a model of caches says of a launch.
struct count_caches {
    uint64_t l1_sectors, l1_hits; // loads
    uint64_t l2_sectors;          // what comes behind the first cache
    struct count_pages reached;   // of these, each once
};

// What one resident has counted of a launch.
struct count_tally {
    struct count_tally *next;
    const struct count_blocks *owner;
    uint64_t *warps, *threads;      // by block of the plan
    uint64_t (*insn)[COUNT_FIELDS]; // by instruction
    struct count_caches caches;
};

struct count_launch;
void count_launch_lose(struct count_launch *c); // there is no memory for its counts: none are told
// NULL: it is not counted. kernel: lives as long as the op.
struct count_launch *count_launch_create(const struct count_desc *d, const char *kernel);
void task_op_count(struct op *task, const struct count_desc *d); // sched/task.c; before it is submitted
void count_launch_begin(struct count_launch *c);
void count_launch_over(struct count_launch *c, const struct op *op,
                       const struct jit_launch *l); // sends what was counted
void count_launch_destroy(struct count_launch *c);
void count_resident(struct resident *r, struct count_launch *c); // before blocks of the launch run there
void count_resident_end(struct resident *r);
// A bulk copy that the engine makes for a thread, where count_wanted: its pieces in global memory, and that they were all. Of several copies
// that one instruction makes the first counts, as the others have the same source.
void count_bulk_row(const struct jit_block *b, uint32_t thread, uint64_t address, uint64_t bytes);
void count_bulk_end(const struct jit_block *b, uint32_t thread);

// ---- private to this folder
#define FOR_LANES(mask, l)                                                                                             \
    for (uint32_t m_ = (mask), l = 0; m_ && (l = (uint32_t)__builtin_ctz(m_), true); m_ &= m_ - 1)
// A thread's own story, as far as its warp has not come to it: words of count.h, each with an address behind it where it has one.
struct count_lane {
    uint64_t *word;
    size_t head, len, cap;
    size_t ends; // of blocks, among them
    struct {
        uint32_t insn; // COUNT_NONE: none is under way
        uint64_t at;   // where it lies in global memory
    } bulk;
};
// Threads that run together, and where they wait for the others that they parted from.
struct count_group {
    uint32_t mask, block, join;
    bool over; // the block has ended, and its threads have parted
};
struct count_warp {
    uint32_t all, ended; // lanes
    uint32_t ready;      // lanes whose story goes on to the end of their block
    uint32_t queued;     // lanes with a story
    uint32_t told;       // lanes whose branch has told the block that they tell next
    uint32_t depth, room;
    struct count_group *group;
    struct count_lane lane[32];
    uint64_t *local; // where local variables lie: by lane, then by number
    uint64_t matrix; // address of the access that tells its stride next
};
struct count_likes;   // like.c
struct count_blocks { // of one resident
    struct count_launch *launch;
    uint64_t run; // of that launch, or of another
    const struct count_plan *plan;
    struct count_tally *tally;
    struct count_warp *warp;
    uint32_t nwarps;
    size_t held;               // bytes of queues
    struct count_pages cached; // what the block has loaded
    uint32_t cached_block[3];
    struct count_pages copied; // what one bulk copy has named
    struct count_likes **like; // by instruction; NULL: it has had no access yet
    size_t nlike;
    struct jit_block *block;
};
struct count_blocks *count_of(struct resident *r);

// memory.c: one access of a warp
struct count_access {
    uint32_t insn, lanes;
    const uint64_t *address; // of 32 lanes
    enum count_kind kind;
};
void count_memory(struct count_blocks *s, struct count_warp *w, const struct count_access *a);

// like.c: what an access came to that the instruction has had before
enum { LIKE_SECTORS_MOST = 64 };
struct count_like {
    uint32_t lanes, phase, nsectors;
    uint16_t add[COUNT_FIELDS];
    uint64_t step[32];                 // from the address of the first lane
    int32_t sector[LIKE_SECTORS_MOST]; // of global memory, from that of the first lane
};
// The entry for accesses such as this one; *known: they have come to what it holds, else that is to be filled in. phase: the part of the first
// lane's address that decides, below a power of two.
struct count_like *count_like_of(struct count_blocks *s, const struct count_access *a, uint32_t lanes, uint32_t phase,
                                 bool *known);
void count_likes_drop(struct count_blocks *s);

// cache.c
enum { COUNT_SECTOR = 32 };
void count_cached(struct count_blocks *s, const uint64_t *sectors, unsigned n, bool load);
// Of a copy past the first cache: sectors that it has not named before.
unsigned count_copied(struct count_blocks *s, uint64_t address, uint64_t bytes);
void count_copied_all(struct count_blocks *s); // the copy is over
void count_caches_add(struct count_caches *c, const struct count_caches *more);
uint64_t count_caches_reached(const struct count_caches *c);
void count_pages_free(struct count_pages *s);

// bulk.c: what code tells of a bulk copy
void count_bulk(struct count_blocks *s, uint32_t thread, uint32_t what, uint64_t number);

// warp.c: its queues are gone
void count_queues_forget(struct count_blocks *s);

// write.c; a native kernel has no tally
void count_write(const struct count_desc *d, const struct count_tally *t, const struct op *op,
                 const struct jit_launch *l, const char *kernel);
void count_write_lost(const char *kernel);
#endif
