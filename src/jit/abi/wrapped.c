// SPDX-License-Identifier: Apache-2.0
// See wrapped.h. Compiled to use general registers only, with a frame pointer (CMakeLists.txt).
#include "jit/abi/wrapped.h"

#if defined(__x86_64__)
#define HERE __attribute__((section("heddle_outlined"), noinline))

extern const char __start_heddle_outlined[], __stop_heddle_outlined[];

// Volatile, lest the compiler takes a loop for memcpy, which keeps no registers.
static inline __attribute__((always_inline)) void copy(volatile void *to, const volatile void *from, unsigned size)
{
    switch (size) {
    case 1:
        *(volatile uint8_t *)to = *(const volatile uint8_t *)from;
        break;
    case 2:
        *(volatile uint16_t *)to = *(const volatile uint16_t *)from;
        break;
    case 4:
        *(volatile uint32_t *)to = *(const volatile uint32_t *)from;
        break;
    default:
        for (unsigned i = 0; i < size / 8; i++)
            ((volatile uint64_t *)to)[i] = ((const volatile uint64_t *)from)[i];
    }
}

static inline __attribute__((always_inline)) void each(struct outlined *a, bool store)
{
    uint32_t source = a->source;
    uint64_t address = a->address, lap = (uint64_t)a->scale << 32;
    int32_t offset = a->first, stride = a->stride * a->size;
    char *lane = a->lanes;
    // near its greatest value a source wraps upwards, near its least downwards
    bool up = a->is_signed ? (int32_t)source >= 0 : (int32_t)source < 0;
    for (unsigned l = 0; l < a->width; l++, offset += a->step, address += (uint64_t)(int64_t)stride, lane += a->size) {
        uint32_t moved = source + (uint32_t)offset;
        bool less = a->is_signed ? (int32_t)moved < (int32_t)source : moved < source;
        uint64_t at = address + (less == (offset < 0) ? 0 : up ? 0 - lap : lap);
        if (!(a->active >> l & 1))
            continue;
        if (store)
            copy((void *)at, lane, a->size);
        else
            copy(lane, (const void *)at, a->size);
    }
}

OUTLINED HERE void heddle_outlined_load(struct outlined *a)
{
    each(a, false);
}

OUTLINED HERE void heddle_outlined_store(struct outlined *a)
{
    each(a, true);
}

bool outlined_contains(const void *pc)
{
    return (const char *)pc >= __start_heddle_outlined && (const char *)pc < __stop_heddle_outlined;
}
#endif
