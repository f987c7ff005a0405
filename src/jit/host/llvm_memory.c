// SPDX-License-Identifier: Apache-2.0
// Memory that LLVM asks for. LLVM ends the process when an allocation fails, and LLVM-C has no way to say what is to be done
// instead. But LLVM and the C++ library are linked into libheddle-jit.so, and the linker leads their calls of the C library's allocators
// here (--wrap in CMakeLists.txt): operator new is one of the callers. So a failed allocation takes from the reserve, and then the
// compilation escapes (compile.c), before anything in C++ learns of it. Nothing else in the process is affected.
#include "base/reserve.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// What C++ makes while the library is opened is the first to ask: nothing can escape there.
__attribute__((constructor(101))) static void hold(void)
{
    reserve_ready();
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
int __wrap_posix_memalign(void **out, size_t align, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
    void *p;
    while (!(p = __real_malloc(size)) && size && reserve_again())
        ;
    return p;
}

void *__wrap_calloc(size_t n, size_t size)
{
    void *p;
    while (!(p = __real_calloc(n, size)) && n && size && reserve_again())
        ;
    return p;
}

void *__wrap_realloc(void *p, size_t size)
{
    void *q;
    while (!(q = __real_realloc(p, size)) && size && reserve_again())
        ;
    return q;
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    void *p;
    while (!(p = __real_aligned_alloc(align, size)) && size && reserve_again())
        ;
    return p;
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
