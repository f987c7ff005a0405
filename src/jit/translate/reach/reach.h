// SPDX-License-Identifier: Apache-2.0
// What a kernel can reach: its functions, its static shared memory, and facts that choose how it is compiled. Free of
// LLVM, so that both sides of the JIT lay out shared memory alike.
#ifndef HEDDLE_JIT_TRANSLATE_REACH_H
#define HEDDLE_JIT_TRANSLATE_REACH_H
#include "base/map.h"
#include "base/vec.h"
#include "ptx/ptx.h"

// What waits is inlined at each call of it (but see reach_call_waiting): a kernel of more instructions is refused.
enum { REACH_COPIED_LIMIT = 4000000 };
enum { REACH_RESERVED_BYTES = 1024 }; // shared memory that %reserved_smem_offset_* speaks of, where a kernel uses it

struct reach_func {
    const struct ptx_func *f;
    bool recursive; // on a cycle of calls
    bool may_exit;  // exit, trap or assertion in it or in what it calls, so that the thread may end inside
    bool waits;     // a barrier, a collective or a sleep in it or in what it calls
    bool may_spin;  // a loop and an access to what other threads change, in it or in what it calls
    bool is_call;   // stays a call: recursive, or too large to be copied to every call
    uint64_t size;  // instructions, with those of inlined callees
    uint64_t sites; // points where it waits, with those of inlined callees
    uint32_t own_sites;
};

struct reach {
    struct VEC(struct reach_func) funcs;       // the kernel first; all have a body
    struct VEC(const struct ptx_func *) taken; // functions whose address may be called, in the order of the module
    struct VEC(uint32_t) callers_first;        // indices of funcs: a caller before its callees, but in a cycle
    struct map func_at;                        // ptx_func -> index in funcs, plus one
    struct map shared_at;                      // ptx_var -> offset in shared memory, plus one
    uint32_t shared_static;                    // bytes; the dynamic part begins here
    uint32_t shared_align;                     // the greatest of a variable there; 0: there is none
    uint32_t reserved_at;                      // offset of the reserved bytes; UINT32_MAX: none
    uint32_t local_bytes;                      // of .local variables, summed
    uint32_t instructions;
    uint64_t copied; // instructions, with those of inlined callees, of the kernel and of all functions that stay calls
    uint64_t sites;  // points where it waits, likewise
    bool warp_collectives, volatile_shared, flush_denormals;
    bool waits;   // barriers, collectives or nanosleep
    bool cluster; // may reach other blocks of its cluster
};

// It is translated. A program linked with NVIDIA's device runtime has bodies for what the engine answers itself.
bool reach_has_code(const struct ptx_func *f);
void reach_init(struct reach *r, const struct ptx_module *m, const struct ptx_func *kernel);
// Where functions that wait would be copied too often, they stay calls as well. Threads then have stacks of their own (resume/keep_stack.c).
void reach_call_waiting(struct reach *r);
void reach_fini(struct reach *r);
const struct reach_func *reach_find(const struct reach *r, const struct ptx_func *f);
// The most 32-bit registers that hold values at the same time in the function's body, as written (pressure.c).
uint32_t pressure_of(const struct ptx_func *f);
#endif
