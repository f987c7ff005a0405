// SPDX-License-Identifier: Apache-2.0
// A template of number.h: LAPACK's routines in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
static struct FN(lapack) FN(lapack_table);

static bool FN(lapack_find)(void *library)
{
    bool all = true;
    const char letter = *TEXT(LETTER);
#define ROUTINE(name, real, complex, ...)                                                                              \
    {                                                                                                                  \
        void *function = routine(library, letter, COMPLEX ? (complex) : (real));                                       \
        FN(lapack_table).name = (void (*)(__VA_ARGS__))function;                                                       \
        all = all && function;                                                                                         \
    }
#include "cusolver/dense/lapack.def"
#undef ROUTINE
    return all;
}
// NOLINTEND(readability-redundant-casting)
