// SPDX-License-Identifier: Apache-2.0
// The exported functions that have a body, made from the table: each writes its line at HEDDLE_LOG=debug, is
// counted for HEDDLE_PROFILE and gives stream 0 its meaning, legacy or the thread's own.
#include "base/process/account.h"
#include "base/process/sanitizer.h"
#include "base/reserve.h"
#include "driver/entry/narrow.h"

#define EXPORT __attribute__((visibility("default"))) CUresult CUDAAPI

static bool tracing;
__attribute__((constructor)) static void tracing_init(void)
{
    tracing = log_on(LOG_DEBUG);
}

// What needs no state is answered in a child, too.
static bool is_refused(const char *name)
{
    static const char *const fixed[] = {"cuGetErrorName", "cuGetErrorString", "cuDriverGetVersion", "cuGetProcAddress"};
    if (__builtin_expect(!driver_forked, 1))
        return false;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (!strcmp(name, fixed[i]))
            return false;
    return true;
}

// Without a reserve of memory nothing is begun. What gives memory back is not kept from it, nor is what it needs to know.
static bool lacks_memory(const char *name)
{
    static const char *const gives[] = {"Free",  "Destroy", "Unload",   "Release",       "Unregister",  "Unmap",
                                        "Reset", "Pop",     "GetError", "CtxGetCurrent", "CtxGetDevice"};
    if (__builtin_expect(reserve_ready(), 1))
        return false;
    for (size_t i = 0; i < sizeof gives / sizeof *gives; i++)
        if (strstr(name, gives[i]))
            return false;
    return true;
}

// What the runtime does with an error is its own matter: it tells of what it hands on.
static void tell(const char *name, CUresult r)
{
    const char *code = NULL, *text = NULL;
    bool answers = r == CUDA_SUCCESS || r == CUDA_ERROR_NOT_READY;
    if (answers || error_name(r, &code) || error_string(r, &text))
        return;
    sanitizer_api_error(name, (int)r, code, text);
}

static CUresult traced(const char *name, uint64_t since, CUresult r)
{
    account_done(ACCOUNT_CALL, name, since, 0);
    if (__builtin_expect(tracing, 0)) {
        const char *text = NULL;
        error_name(r, &text);
        log_write(LOG_DEBUG, "%s: %s", name, text ? text : "?");
    }
    if (__builtin_expect(r && check_wanted, 0))
        tell(name, r);
    return r;
}

#define CALL(name, shown, body)                                                                                        \
    uint64_t since = account_since();                                                                                  \
    return is_refused(#name)     ? CUDA_ERROR_NOT_INITIALIZED                                                          \
           : lacks_memory(#name) ? CUDA_ERROR_OUT_OF_MEMORY                                                            \
                                 : traced(shown, since, body)

#define API(name, suffix, since, body, params, args)                                                                   \
    EXPORT name##suffix params                                                                                         \
    {                                                                                                                  \
        CALL(name, #name #suffix, body args);                                                                          \
    }
#define API_PTSZ(name, suffix, since, body, params, args)                                                              \
    EXPORT name##suffix params                                                                                         \
    {                                                                                                                  \
        stream = stream ? stream : CU_STREAM_LEGACY;                                                                   \
        CALL(name, #name #suffix, body args);                                                                          \
    }                                                                                                                  \
    EXPORT name##suffix##_ptsz params                                                                                  \
    {                                                                                                                  \
        stream = stream ? stream : CU_STREAM_PER_THREAD;                                                               \
        CALL(name, #name #suffix "_ptsz", body args);                                                                  \
    }
#define API_DEFAULT(name, suffix, variant, body, params, args)                                                         \
    EXPORT name##suffix params                                                                                         \
    {                                                                                                                  \
        CALL(name, #name #suffix, body(API_ARGS args, CU_STREAM_LEGACY));                                              \
    }                                                                                                                  \
    EXPORT name##suffix##variant params                                                                                \
    {                                                                                                                  \
        CALL(name, #name #suffix #variant, body(API_ARGS args, CU_STREAM_PER_THREAD));                                 \
    }
#define API_PTDS(name, suffix, since, body, params, args)    API_DEFAULT(name, suffix, _ptds, body, params, args)
#define API_PTSZ_EX(name, suffix, since, body, params, args) API_DEFAULT(name, suffix, _ptsz, body, params, args)
#include "driver/api.def"
