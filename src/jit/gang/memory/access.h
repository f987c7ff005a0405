// SPDX-License-Identifier: Apache-2.0
// One load or store of the scalar code and how it meets memory: gang/memory/access.c, and the files named below.
#ifndef HEDDLE_JIT_GANG_ACCESS_H
#define HEDDLE_JIT_GANG_ACCESS_H
#include "jit/gang/gang.h"

// How an affine address meets memory.
struct pattern {
    unsigned run;  // lanes that touch consecutive elements; 0: none
    bool reversed; // the whole gang, downwards
};

struct access {
    LLVMValueRef inst, address, mask;
    LLVMTypeRef type; // of one element, without address space
    uint64_t size;
    unsigned align;
    bool shared;
    bool own;           // a local array by lanes: nobody but the gang reaches it
    bool copied;        // it may read a copy, which changes although what it is of does not
    struct shape shape; // of the address
    struct pattern pattern;
};

struct access access_init(struct gang *g, LLVMValueRef inst, LLVMValueRef mask);
// The same so many bytes from where a lane makes it: what is known of its alignment may not hold there.
struct access access_moved(const struct access *a, int64_t distance);
// What x, which reaches memory in its place, cannot meet.
void access_mark(struct gang *g, const struct access *a, LLVMValueRef x);
// A load or store of this kind at another address, perhaps of a vector.
LLVMValueRef access_load(struct gang *g, const struct access *a, LLVMTypeRef t, LLVMValueRef p);
void access_store(struct gang *g, const struct access *a, LLVMValueRef x, LLVMValueRef p);
// The same in each of these lanes, at its address of a vector of pointers (NULL: of the scalar code's, a scalar sum where it is one).
LLVMValueRef access_load_lanes(struct gang *g, const struct access *a, uint32_t lanes, LLVMValueRef pointers);
void access_store_lanes(struct gang *g, const struct access *a, uint32_t lanes, LLVMValueRef x, LLVMValueRef pointers);
// Accesses under one mask, lane by lane with exact addresses plus so many bytes, outlined from the hot code.
struct outlined_access {
    const struct access *access;
    int64_t step;
    LLVMValueRef value; // loaded, or to store
};
void access_outlined(struct gang *g, struct outlined_access *x, unsigned n, bool store);
// The function of that name for accesses like this one, which keeps all registers; made: it has been written before.
LLVMValueRef access_function(struct gang *g, const struct access *a, const char *kind, LLVMTypeRef type, bool load,
                             bool *made);
LLVMValueRef access_on_one_page(struct gang *g, LLVMValueRef pointer, uint64_t bytes);
// gang/memory/bound.c: inside this block's shared memory from end to end, so that writing back what was read harms no one. NULL: always.
LLVMValueRef access_in_shared(struct gang *g, LLVMValueRef pointer, uint64_t bytes);

// gang/memory/wrapped_access.c: by a function of the engine (jit/abi/wrapped.h).
bool outlined_fits(struct gang *g, const struct access *a);
bool outlined_make(struct gang *g, struct outlined_access *x, unsigned n, bool store); // false: not all of them fit
// An access of elements that lie in a buffer of the gang's frame, as memory of one run of lanes would have them; `before`: the last one
// that was made there, or NULL.
LLVMValueRef outlined_buffer(struct gang *g);
void outlined_call(struct gang *g, const struct outlined_access *x, const struct outlined_access *before, bool store);

// gang/memory/parts.c: an access of runs of lanes under a mask, register by register. `pointer`: of each run, within which no address
// wraps around. Returns what is loaded where x is NULL.
bool parts_fit(struct gang *g, const struct access *a);
LLVMValueRef parts_access(struct gang *g, const struct access *a, const LLVMValueRef *pointer, LLVMValueRef x);

// gang/memory/append.c: elements taken from a counter. Whether an addition of all lanes to one location takes them; by how much it grows; what
// the lanes get when `old` was there; a store to them: leaves the builder where it does not lie side by side, returns the block to
// meet in, or NULL: as any other.
bool append_fits(struct gang *g, LLVMValueRef inst);
LLVMValueRef append_count(struct gang *g, LLVMTypeRef t, LLVMValueRef mask);
void append_take(struct gang *g, LLVMValueRef inst, LLVMValueRef mask, LLVMValueRef old);
LLVMBasicBlockRef append_store(struct gang *g, const struct access *a, LLVMValueRef value);

// gang/memory/masked.c: instructions of the processor, for accesses that they fit. `mask` has as many lanes as the vector.
bool access_is_plain(struct gang *g, const struct access *a);
bool masked_fits(struct gang *g, const struct access *a);
LLVMValueRef masked_load(struct gang *g, const struct access *a, LLVMTypeRef t, LLVMValueRef p, LLVMValueRef mask);
LLVMValueRef masked_store(struct gang *g, LLVMValueRef x, LLVMValueRef p, unsigned align, LLVMValueRef bits);
// The pointers of all lanes, in the form that instructions like best (gang/memory/index.c).
LLVMValueRef gather_pointers(struct gang *g, const struct access *a);
// A load a lane by the same form, where it is of that; NULL: it is not.
LLVMValueRef gather_lanes(struct gang *g, const struct access *a);
// gang/memory/lane_access.c: an access a lane as one operation for every LANE_ACCESSES lanes. Where the lanes' elements are: at base + scale *
// lanes, indices of 32 bits and a scale that instructions have; (base NULL) at these pointers; (lanes NULL) at base + offset.
enum { LANE_ACCESSES = 4 };
struct lane_addresses {
    LLVMValueRef base, lanes;
    unsigned scale;
    const int64_t *offset;
};
bool lane_access_fits(struct gang *g, const struct access *a);
bool lane_access_strided(struct gang *g, const struct access *a); // it fits, by offsets from where lane 0's is 0
// n lanes from `first` on, multiples of LANE_ACCESSES; all lanes. Every lane may read or write there.
LLVMValueRef lane_access_load(struct gang *g, const struct access *a, const struct lane_addresses *p, unsigned first,
                              unsigned n);
void lane_access_store(struct gang *g, const struct access *a, const struct lane_addresses *p, LLVMValueRef x);
// The offsets of all lanes in shared memory, <W x i32>, from its base; false: the address is not computed from that.
bool shared_offsets(struct gang *g, LLVMValueRef address, LLVMValueRef *base, LLVMValueRef *offsets);
// An address as a base that all lanes share, of which every term is made of what `leaf` knows, and offsets from it, <W x i32>.
// `inside`: the lanes, <W x i1>, whose offset is less than this. False: not of that form.
bool offsets_within(struct gang *g, LLVMValueRef address, bool (*leaf)(LLVMValueRef call), uint32_t limit,
                    LLVMValueRef *base, LLVMValueRef *offsets, LLVMValueRef *inside);
bool gather_fits(struct gang *g, const struct access *a);
// Bytes and halves by gathers of the aligned words around them, which lie on the same page.
bool gather_words_fit(struct gang *g, const struct access *a);
LLVMValueRef gather_words(struct gang *g, const struct access *a);
LLVMValueRef gather_build(struct gang *g, const struct access *a, LLVMValueRef pointers);
void scatter_build(struct gang *g, const struct access *a, LLVMValueRef x, LLVMValueRef pointers);

// gang/memory/neighbours.c: accesses to adjacent locations that are made together.
// By distance in elements from this access, found[NEIGHBOURS_HERE], those behind it in its block that touch the same piece of memory,
// over what cannot see or change that in the meantime. Returns the end of what was looked at. far: looks further, and past what is
// known to touch other memory.
enum { NEIGHBOURS_HERE = NEIGHBOURS_MAX - 1, NEIGHBOURS_POSITIONS = 2 * NEIGHBOURS_MAX - 1 };
LLVMValueRef neighbours_find(struct gang *g, const struct access *a, bool store, bool far, LLVMValueRef *found);
// The n of them from `low` on. False: another store stands between these stores.
bool neighbours_take(struct gang *g, const struct access *a, bool store, LLVMValueRef *found, unsigned low, unsigned n,
                     LLVMValueRef end, struct neighbours *out);
void neighbours_loaded(struct gang *g, const struct access *a, const struct neighbours *r, LLVMValueRef *x);
// Stores of a group wait in the list for the last of them, with which all are emitted. False: the store is of none.
bool neighbours_store(struct gang *g, const struct access *a, struct neighbours *list, unsigned n,
                      bool (*find)(struct gang *g, const struct access *a, bool store, struct neighbours *out),
                      void (*emit)(struct gang *g, const struct access *a, const struct neighbours *r));
// Whether the access was emitted together with an earlier one; tells so once for each time.
bool neighbours_done(struct gang *g, LLVMValueRef inst);

// gang/memory/interleave.c. False: not of that form, nothing was emitted.
bool interleave_load(struct gang *g, const struct access *a);
bool interleave_sparse(struct gang *g, const struct access *a); // after the others
bool interleave_store(struct gang *g, const struct access *a);
// gang/memory/rows.c: neighbours at locations that lie apart from lane to lane.
bool rows_load(struct gang *g, const struct access *a);
bool rows_store(struct gang *g, const struct access *a);
// gang/memory/clamped.c: a test, i1, whether the lanes of a load whose index is held within bounds lie side by side, from *pointer on. NULL:
// it is no such load, nothing was emitted.
LLVMValueRef clamped_begin(struct gang *g, const struct access *a, LLVMValueRef *pointer);
// gang/memory/batch.c: whether this load or store and the one right behind it share one test, as so many do at most.
enum { BATCH_MAX = 8 };
bool batch_goes_on(struct vectoriser *v, const struct scalar_fn *f, LLVMValueRef access);
// gang/memory/disjoint.c: whether this load or store cannot touch what accesses through the other pointer do.
bool disjoint_pass(struct gang *g, LLVMValueRef inst, LLVMValueRef pointer);
// The pointers of all lanes plus so many bytes, exact; inactive lanes point to the sink.
LLVMValueRef access_lane_pointers(struct gang *g, const struct access *a, int64_t step);
// Whether the address of each lane is a scalar sum.
bool access_is_exact(const struct access *a);
#endif
