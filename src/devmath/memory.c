// SPDX-License-Identifier: Apache-2.0
// Functions of the C library that the compiler calls by itself in device code: what constexpr functions of the C++ library
// say, such as those of std::string_view.
#include "devmath/devmath.h"
#if defined(__NVPTX__) // a host has its own

HOT unsigned long strlen(const char *text)
{
    unsigned long n = 0;
    while (text[n])
        n++;
    return n;
}

HOT int memcmp(const void *a, const void *b, unsigned long size)
{
    const unsigned char *x = a, *y = b;
    for (unsigned long i = 0; i < size; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

HOT void *memchr(const void *p, int c, unsigned long size)
{
    const unsigned char *x = p;
    for (unsigned long i = 0; i < size; i++)
        if (x[i] == (unsigned char)c)
            return (void *)(x + i);
    return 0;
}
#endif
