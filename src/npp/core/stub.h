// SPDX-License-Identifier: Apache-2.0
// The exported functions of NPP's libraries, as tools/npp_table.c writes them. Each is there with a context and, as in CUDA 12, without: then it
// is called with the context of the stream that nppSetStream has set. On a GPU NVIDIA's function takes the call.
#ifndef HEDDLE_NPP_CORE_STUB_H
#define HEDDLE_NPP_CORE_STUB_H
#include "library/stub.h"
#include "npp/body.h"
#include "npp/core/npp.h"

NppStatus nppGetStreamContext(NppStreamContext *context); // libnppc
static inline NppStreamContext heddle_npp_context(void)
{
    NppStreamContext c = {0};
    nppGetStreamContext(&c);
    return c;
}

#define NPP_UNPACK(...) __VA_ARGS__
// What words of the table say: planes that an array has, with one step or several; lists, bounds and levels of channels. An array that is NULL has NULLs.
#define NPP_NTH(array, i, n)                ((array) && (i) < (n) ? (void *)(array)[(i) < (n) ? (i) : 0] : NULL)
#define NPP_NUMBER(array, i, n)             ((array) && (i) < (n) ? (array)[(i) < (n) ? (i) : 0] : 0)
#define NPP_PLANE(where, i, array, step, n) .where[i] = {NPP_NTH(array, i, n), step}
#define NPP_PLANES(where, array, step, n)                                                                              \
    NPP_PLANE(where, 0, array, step, n), NPP_PLANE(where, 1, array, step, n), NPP_PLANE(where, 2, array, step, n),     \
        NPP_PLANE(where, 3, array, step, n)
#define NPP_PLANES_STEPS(where, array, steps, n)                                                                       \
    NPP_PLANE(where, 0, array, NPP_NUMBER(steps, 0, n), n), NPP_PLANE(where, 1, array, NPP_NUMBER(steps, 1, n), n),    \
        NPP_PLANE(where, 2, array, NPP_NUMBER(steps, 2, n), n), NPP_PLANE(where, 3, array, NPP_NUMBER(steps, 3, n), n)
#define NPP_EACH(array, n) {NPP_NTH(array, 0, n), NPP_NTH(array, 1, n), NPP_NTH(array, 2, n), NPP_NTH(array, 3, n)}
#define NPP_LISTS(lists, counts, n)                                                                                    \
    .out = NPP_EACH(lists, n),                                                                                         \
    .levels = {NPP_NUMBER(counts, 0, n), NPP_NUMBER(counts, 1, n), NPP_NUMBER(counts, 2, n), NPP_NUMBER(counts, 3, n)}
#define NPP_BOUNDS(low, high, n)                                                                                       \
    .number = {NPP_NUMBER(low, 0, n),  NPP_NUMBER(low, 1, n),  NPP_NUMBER(low, 2, n),  NPP_NUMBER(low, 3, n),          \
               NPP_NUMBER(high, 0, n), NPP_NUMBER(high, 1, n), NPP_NUMBER(high, 2, n), NPP_NUMBER(high, 3, n)}
#define NPP_LEVELS(levels, n) .value = NPP_EACH(levels, n)
#define NPP_FUNCTION(result, name, params, args, params_ctx, args_ctx, args_plain, body, form_, ...)                   \
    LIBRARY_EXPORT NppStatus name##_Ctx params_ctx;                                                                    \
    NppStatus name##_Ctx params_ctx                                                                                    \
    {                                                                                                                  \
        if (__builtin_expect(library_is_elsewhere(), 0)) {                                                             \
            static _Atomic(void *) there;                                                                              \
            NppStatus(*function) params_ctx =                                                                          \
                (NppStatus(*) params_ctx)library_there(&library_self, &there, #name "_Ctx");                           \
            return function ? function args_ctx : NPP_NOT_SUPPORTED_MODE_ERROR;                                        \
        }                                                                                                              \
        static const struct npp_form form = {NPP_UNPACK form_};                                                        \
        struct npp_call call = {.form = &form, .stream = nppStreamCtx.hStream __VA_OPT__(, ) __VA_ARGS__};             \
        return body(&call);                                                                                            \
    }                                                                                                                  \
    LIBRARY_ALIAS(NppStatus, name##_Ctx, params_ctx)                                                                   \
    LIBRARY_EXPORT NppStatus name params;                                                                              \
    NppStatus name params                                                                                              \
    {                                                                                                                  \
        return name##_Ctx args_plain;                                                                                  \
    }                                                                                                                  \
    LIBRARY_ALIAS(NppStatus, name, params)

// Functions without a stream: what they have to do is done when they return.
#define NPP_HOST(result, name, params, args, params_ctx, args_ctx, args_plain, body, form_, ...)                       \
    LIBRARY_EXPORT result name params;                                                                                 \
    result name params                                                                                                 \
    {                                                                                                                  \
        if (__builtin_expect(library_is_elsewhere(), 0)) {                                                             \
            static _Atomic(void *) there;                                                                              \
            result(*function) params = (result(*) params)library_there(&library_self, &there, #name);                  \
            return function ? function args : NPP_NOT_SUPPORTED_MODE_ERROR;                                            \
        }                                                                                                              \
        static const struct npp_form form = {NPP_UNPACK form_};                                                        \
        struct npp_call call = {.form = &form __VA_OPT__(, ) __VA_ARGS__};                                             \
        return body(&call);                                                                                            \
    }                                                                                                                  \
    LIBRARY_ALIAS(result, name, params)
#define NPP_POINTER(result, name, params, args, params_ctx, args_ctx, args_plain, body, form_, ...)                    \
    LIBRARY_EXPORT result name params;                                                                                 \
    result name params                                                                                                 \
    {                                                                                                                  \
        if (__builtin_expect(library_is_elsewhere(), 0)) {                                                             \
            static _Atomic(void *) there;                                                                              \
            result(*function) params = (result(*) params)library_there(&library_self, &there, #name);                  \
            return function ? function args : NULL;                                                                    \
        }                                                                                                              \
        static const struct npp_form form = {NPP_UNPACK form_};                                                        \
        struct npp_call call = {.form = &form __VA_OPT__(, ) __VA_ARGS__};                                             \
        return (result)body(&call);                                                                                    \
    }                                                                                                                  \
    LIBRARY_ALIAS(result, name, params)
#define NPP_VOID(result, name, params, args, params_ctx, args_ctx, args_plain, body, form_, ...)                       \
    LIBRARY_EXPORT void name params;                                                                                   \
    void name params                                                                                                   \
    {                                                                                                                  \
        if (__builtin_expect(library_is_elsewhere(), 0)) {                                                             \
            static _Atomic(void *) there;                                                                              \
            void(*function) params = (void(*) params)library_there(&library_self, &there, #name);                      \
            if (function)                                                                                              \
                function args;                                                                                         \
            return;                                                                                                    \
        }                                                                                                              \
        struct npp_call call = {.form = NULL __VA_OPT__(, ) __VA_ARGS__};                                              \
        body(&call);                                                                                                   \
    }                                                                                                                  \
    LIBRARY_ALIAS(void, name, params)
#endif
