// SPDX-License-Identifier: Apache-2.0
// Memory that LLVM asks for. LLVM ends the process when an allocation fails, and LLVM-C has no way to say what is to be done
// instead. But LLVM and the C++ library are linked into libheddle-jit.so, and the linker leads their calls of the C library's allocators
// here (--wrap in CMakeLists.txt): operator new is one of the callers. So a failed allocation takes from the reserve, and then the
// compilation escapes (compile.c), before anything in C++ learns of it. Nothing else in the process is affected.
//
// What C++ makes while the library is opened is the first to ask, and nothing can escape there. It is some 100 KB, for which there
// is memory in the library itself: an opened library has it. Nothing else is used then, since the loader ends the process where it has
// no memory for the first access to a thread-local variable.
#include "jit/host/target.h"
#include "base/reserve.h"
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

// The C library's function, and what calls of it lead to.
#define WRAPPED(result, name, ...)                                                                                     \
    result __real_##name(__VA_ARGS__);                                                                                 \
    result __wrap_##name(__VA_ARGS__);
WRAPPED(void *, malloc, size_t size)
WRAPPED(void *, calloc, size_t n, size_t size)
WRAPPED(void *, realloc, void *p, size_t size)
WRAPPED(void *, aligned_alloc, size_t align, size_t size)
WRAPPED(int, posix_memalign, void **out, size_t align, size_t size)
WRAPPED(char *, strdup, const char *text)
WRAPPED(void, free, void *p)

enum { POOL = 1 << 20, POOL_ALIGN = 64 };
static _Alignas(POOL_ALIGN) char pool[POOL]; // never given back
static size_t pool_used;
static atomic_bool opened;

void llvm_memory_opened(void)
{
    atomic_store_explicit(&opened, true, memory_order_relaxed);
}

static bool in_pool(const void *p)
{
    return (uintptr_t)p - (uintptr_t)pool < POOL;
}

// One thread opens the library.
static void *pool_take(size_t size)
{
    if (size > POOL - pool_used)
        return NULL;
    void *p = pool + pool_used;
    pool_used += (size + POOL_ALIGN - 1) / POOL_ALIGN * POOL_ALIGN;
    return p;
}

// An allocation has failed: true to try it again, else *p is what stands for it, or NULL.
static bool again(size_t align, size_t size, void **p)
{
    if (size && atomic_load_explicit(&opened, memory_order_relaxed))
        return reserve_again();
    *p = size && align <= POOL_ALIGN ? pool_take(size) : NULL;
    return false;
}

void *__wrap_malloc(size_t size)
{
    void *p;
    while (!(p = __real_malloc(size)) && again(1, size, &p))
        ;
    return p;
}

void *__wrap_calloc(size_t n, size_t size)
{
    void *p;
    size_t all;
    bool is_size = !__builtin_mul_overflow(n, size, &all);
    while (!(p = __real_calloc(n, size)) && is_size && again(1, all, &p))
        ;
    return p;
}

void *__wrap_realloc(void *p, size_t size)
{
    void *q = NULL;
    bool from_pool = in_pool(p);
    while (!from_pool && !(q = __real_realloc(p, size)) && again(1, size, &q))
        ;
    if (from_pool)
        q = __wrap_malloc(size);
    if (q && p && (from_pool || in_pool(q))) { // nobody has moved what was there
        size_t had = from_pool ? (size_t)(pool + POOL - (char *)p) : malloc_usable_size(p);
        memcpy(q, p, size < had ? size : had);
        __wrap_free(p);
    }
    return q;
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    void *p;
    while (!(p = __real_aligned_alloc(align, size)) && again(align, size, &p))
        ;
    return p;
}

void __wrap_free(void *p)
{
    if (__builtin_expect(!in_pool(p), 1))
        __real_free(p);
}

int __wrap_posix_memalign(void **out, size_t align, size_t size)
{
    void *p = __wrap_aligned_alloc(align, (size + align - 1) & ~(align - 1));
    if (p || !size)
        *out = p;
    return p || !size ? 0 : ENOMEM;
}

char *__wrap_strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    char *p = __wrap_malloc(n);
    return p ? memcpy(p, text, n) : NULL;
}
