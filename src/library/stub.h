// SPDX-License-Identifier: Apache-2.0
// The exported functions of a library, from its table: each goes to NVIDIA's library where the device is a GPU, else to its body.
// A table's row gives the result, the name, (parameters), (arguments) and the call of the body; `lost` is what a call answers
// that nobody can serve.
#ifndef HEDDLE_LIBRARY_STUB_H
#define HEDDLE_LIBRARY_STUB_H
#include "library/library.h"

extern const struct library library_self;

#define LIBRARY_EXPORT __attribute__((visibility("default")))

// Names for the loader: LIBRARY_NEWER, and LIBRARY_OLDER for programs that were linked with the library's version of CUDA 12. Not where
// that has the same soname.
#ifdef LIBRARY_OLDER
#define LIBRARY_ALIAS(result, name, params)                                                                            \
    __attribute__((alias(#name), visibility("default"))) result heddle_older_##name params;                            \
    __asm__(".symver " #name ", " #name "@@@" LIBRARY_NEWER);                                                          \
    __asm__(".symver heddle_older_" #name ", " #name "@" LIBRARY_OLDER);
#else
#define LIBRARY_ALIAS(result, name, params)
#endif

#define LIBRARY_STUB(result, name, params, args, call, lost)                                                           \
    LIBRARY_EXPORT result name params;                                                                                 \
    result name params                                                                                                 \
    {                                                                                                                  \
        if (__builtin_expect(library_is_elsewhere(), 0)) {                                                             \
            static _Atomic(void *) there;                                                                              \
            result(*function) params = (result(*) params)library_there(&library_self, &there, #name);                  \
            if (!function)                                                                                             \
                return lost;                                                                                           \
            return function args;                                                                                      \
        }                                                                                                              \
        if (__builtin_expect(library_log_on(&library_self), 0))                                                        \
            library_log(&library_self, #name);                                                                         \
        return call;                                                                                                   \
    }                                                                                                                  \
    LIBRARY_ALIAS(result, name, params)
#endif
