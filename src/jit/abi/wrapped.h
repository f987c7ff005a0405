// SPDX-License-Identifier: Apache-2.0
// Accesses of a gang that hardly ever happen and would be much code in its place: where a 32-bit index wraps around within
// the gang. Generated code on x86-64 calls them with the attribute no_caller_saved_registers, so that the hot path keeps
// all of its registers. (On AArch64 LLVM compiles such functions into the object: gang/memory/access.c.)
#ifndef HEDDLE_JIT_APART_H
#define HEDDLE_JIT_APART_H
#include <stdbool.h>
#include <stdint.h>

// The arguments lie in memory, since calls with arguments in registers make the hot path move its own out of the way.
// Lane l lies size * stride * l bytes from the address; where source + first + step * l has wrapped around in 32 bits, scale * 2^32
// bytes further or back.
struct apart {
    uint64_t address;
    uint32_t source, active; // lanes, one bit for each
    uint8_t width, size;     // of an element
    int8_t stride, step, first;
    uint8_t scale, is_signed;
    _Alignas(64) char lanes[]; // elements, a place for every lane
};

enum { APART_SIZE_MAX = 16 };

#if defined(__x86_64__)
#define APART __attribute__((no_caller_saved_registers))
APART void heddle_apart_load(struct apart *a);
APART void heddle_apart_store(struct apart *a);
#define APART_FUNCTIONS(X) X(heddle_apart_load) X(heddle_apart_store)
// Whether one of these was at work at this place; then the frame pointer is its own.
bool apart_contains(const void *pc);
#else
#define APART_FUNCTIONS(X)
#endif
#endif
