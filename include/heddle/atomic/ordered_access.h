// SPDX-License-Identifier: Apache-2.0
// Atomic loads and stores of device code with an order and a scope. clang's back end for PTX has those that acquire or
// release since version 20; before, a relaxed access with barriers beside it does the same. These are macros since the
// type of the object, which may alias others, is lost in templates.
#ifndef HEDDLE_ORDERED_ACCESS_H
#define HEDDLE_ORDERED_ACCESS_H

#if __clang_major__ >= 20
#define HEDDLE_ORDERED_LOAD(__p, order, scope)         __scoped_atomic_load_n(__p, order, scope)
#define HEDDLE_ORDERED_STORE(__p, value, order, scope) __scoped_atomic_store_n(__p, value, order, scope)
#else
#include "../../host_defines.h"

static __device__ __forceinline__ void heddle_order(bool __needed, int scope)
{
    if (!__needed || scope == __MEMORY_SCOPE_SINGLE)
        return;
    if (scope == __MEMORY_SCOPE_WRKGRP || scope == __MEMORY_SCOPE_WVFRNT)
        __nvvm_membar_cta();
    else if (scope == __MEMORY_SCOPE_DEVICE)
        __nvvm_membar_gl();
    else
        __nvvm_membar_sys();
}
#define HEDDLE_ORDERED_LOAD(__p, order, scope)                                                                         \
    __extension__({                                                                                                    \
        heddle_order((order) == __ATOMIC_SEQ_CST, scope);                                                              \
        auto heddle_value = __scoped_atomic_load_n(__p, __ATOMIC_RELAXED, scope);                                      \
        heddle_order((order) != __ATOMIC_RELAXED, scope);                                                              \
        heddle_value;                                                                                                  \
    })
#define HEDDLE_ORDERED_STORE(__p, value, order, scope)                                                                 \
    __extension__({                                                                                                    \
        heddle_order((order) != __ATOMIC_RELAXED, scope);                                                              \
        __scoped_atomic_store_n(__p, value, __ATOMIC_RELAXED, scope);                                                  \
        heddle_order((order) == __ATOMIC_SEQ_CST, scope);                                                              \
    })
#endif
#endif
