// SPDX-License-Identifier: Apache-2.0
// The exported functions that have a body, made from the table: each writes its line at HEDDLE_LOG=debug, is counted for HEDDLE_PROFILE and
// told to tools, and gives stream 0 its meaning, legacy or the thread's own.
#include "base/process/account.h"
#include "base/process/sanitizer.h"
#include "base/reserve.h"
#include "base/timeline/params.h"
#include "base/timeline/timeline.h"
#include "driver/entry/narrow.h"

#define EXPORT __attribute__((visibility("default"))) CUresult CUDAAPI

static bool tracing;
__attribute__((constructor)) static void tracing_init(void)
{
    tracing = log_on(LOG_DEBUG);
    if (tracing || sanitizer_on())
        atomic_fetch_or(&timeline_wanted, TIMELINE_COUNTED);
}

static inline enum driver_phase phase_now(void)
{
    return atomic_load_explicit(&driver_phase, memory_order_relaxed);
}

// What needs no state is answered in a child, too.
static bool is_refused(const char *name)
{
    static const char *const fixed[] = {"cuGetErrorName", "cuGetErrorString", "cuDriverGetVersion", "cuGetProcAddress"};
    if (__builtin_expect(phase_now() != DRIVER_FORKED, 1))
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

// A call that somebody wants to hear of: tools, the log or HEDDLE_PROFILE. Or one that a fork has to know of.
struct call {
    struct timeline_call told;
    CUresult result;
    uint64_t since;
    bool counted;
};

static void call_enter(struct call *c, unsigned number, const char *name, const void *params)
{
    c->told.kind = TIMELINE_DRIVER_CALL;
    c->told.number = number;
    c->told.name = name;
    c->told.params = params;
    c->told.result = &c->result;
    c->told.symbol = NULL;
    c->counted = driver_early_enter();
    c->since = account_since();
    timeline_enter(&c->told);
}

static CUresult call_leave(struct call *c, CUresult r)
{
    c->result = r;
    timeline_leave(&c->told, (int32_t)r);
    account_done(ACCOUNT_CALL, c->told.name, c->since, 0);
    if (c->counted)
        driver_early_leave();
    if (__builtin_expect(tracing, 0)) {
        const char *text = NULL;
        error_name(r, &text);
        log_write(LOG_DEBUG, "%s: %s", c->told.name, text ? text : "?");
    }
    if (__builtin_expect(r && check_wanted, 0))
        tell(c->told.name, r);
    return c->result;
}

#define REFUSED_AS(name)                                                                                               \
    if (is_refused(#name))                                                                                             \
        return CUDA_ERROR_NOT_INITIALIZED;                                                                             \
    if (lacks_memory(#name))                                                                                           \
        return CUDA_ERROR_OUT_OF_MEMORY;
static inline bool is_plain(void)
{
    return atomic_load_explicit(&timeline_wanted, memory_order_relaxed) == 0 && phase_now() != DRIVER_EARLY;
}

// The arguments as they came, before stream 0 gets its meaning.
#define CALL(name, full, body, before, args)                                                                           \
    do {                                                                                                               \
        if (__builtin_expect(is_plain(), 1)) {                                                                         \
            before;                                                                                                    \
            REFUSED_AS(name)                                                                                           \
            return body;                                                                                               \
        }                                                                                                              \
        struct call call_told;                                                                                         \
        PARAMS_DECLARE(call_params, args)                                                                              \
        before;                                                                                                        \
        REFUSED_AS(name)                                                                                               \
        call_enter(&call_told, CBID_##full, #full, call_params);                                                       \
        return call_leave(&call_told, body);                                                                           \
    } while (0)

enum {
#define CBID(name, number) CBID_##name = number,
#include "driver/cbid.def"
};

#define API(name, suffix, since, body, params, args)                                                                   \
    EXPORT name##suffix params                                                                                         \
    {                                                                                                                  \
        CALL(name, name##suffix, body args, (void)0, args);                                                            \
    }
#define API_PTSZ(name, suffix, since, body, params, args)                                                              \
    EXPORT name##suffix params                                                                                         \
    {                                                                                                                  \
        CALL(name, name##suffix, body args, stream = stream ? stream : CU_STREAM_LEGACY, args);                        \
    }                                                                                                                  \
    EXPORT name##suffix##_ptsz params                                                                                  \
    {                                                                                                                  \
        CALL(name, name##suffix##_ptsz, body args, stream = stream ? stream : CU_STREAM_PER_THREAD, args);             \
    }
#define API_DEFAULT(name, suffix, variant, body, params, args)                                                         \
    EXPORT name##suffix params                                                                                         \
    {                                                                                                                  \
        CALL(name, name##suffix, body(API_ARGS args, CU_STREAM_LEGACY), (void)0, args);                                \
    }                                                                                                                  \
    EXPORT name##suffix##variant params                                                                                \
    {                                                                                                                  \
        CALL(name, name##suffix##variant, body(API_ARGS args, CU_STREAM_PER_THREAD), (void)0, args);                   \
    }
#define API_PTDS(name, suffix, since, body, params, args)    API_DEFAULT(name, suffix, _ptds, body, params, args)
#define API_PTSZ_EX(name, suffix, since, body, params, args) API_DEFAULT(name, suffix, _ptsz, body, params, args)
#include "driver/api.def"
