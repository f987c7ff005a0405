// SPDX-License-Identifier: Apache-2.0
// Accesses of a gang that hardly ever happen and would be much code where they stand: where a 32-bit index wraps around within
// the gang. Generated code on x86-64 calls them with the attribute no_caller_saved_registers, so that the hot path keeps
// all of its registers. (On AArch64 LLVM compiles such functions into the object: gang/memory/access.c.)
#ifndef HEDDLE_JIT_WRAPPED_H
#define HEDDLE_JIT_WRAPPED_H
#include <stdbool.h>
#include <stdint.h>

// The arguments lie in memory, since calls with arguments in registers make the hot path move its own out of the way.
// Lane l lies size * stride * l bytes from the address; where source + first + step * l has wrapped around in 32 bits, scale * 2^32
// bytes further or back.
struct outlined {
    uint64_t address;
    uint32_t source, active; // lanes, one bit for each
    uint8_t width, size;     // of an element
    int8_t stride, step, first;
    uint8_t scale, is_signed;
    _Alignas(64) char lanes[]; // elements, one for every lane
};

enum { OUTLINED_SIZE_MAX = 16 };

#if defined(__x86_64__)
#define OUTLINED __attribute__((no_caller_saved_registers))
OUTLINED void heddle_outlined_load(struct outlined *a);
OUTLINED void heddle_outlined_store(struct outlined *a);
#define OUTLINED_FUNCTIONS(X) X(heddle_outlined_load) X(heddle_outlined_store)
// Whether one of these was at work at this address; then the frame pointer is its own.
bool outlined_contains(const void *pc);
#else
#define OUTLINED_FUNCTIONS(X)
#endif
#endif
