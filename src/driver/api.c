// The exported functions that have a body, made from the table: each writes its line at HEDDLE_LOG=debug and gives
// stream 0 its meaning, legacy or the thread's own.
#include "driver/driver.h"

#define EXPORT __attribute__((visibility("default"))) CUresult CUDAAPI

static bool tracing;
__attribute__((constructor)) static void tracing_init(void)
{
    tracing = log_on(LOG_DEBUG);
}

static CUresult traced(const char *name, CUresult r)
{
    if (__builtin_expect(tracing, 0)) {
        const char *text = NULL;
        error_name(r, &text);
        log_write(LOG_DEBUG, "%s: %s", name, text ? text : "?");
    }
    return r;
}

#define REFUSED(name, suffix, since)
#define REFUSED_PTSZ(name, suffix, since)
#define REFUSED_PTDS(name, suffix, since)
#define MISSING(name, suffix)

#define API(name, suffix, since, body, params, args)                                                                   \
    EXPORT name##suffix params                                                                                         \
    {                                                                                                                  \
        return traced(#name #suffix, body args);                                                                       \
    }
#define API_PTSZ(name, suffix, since, body, params, args)                                                              \
    EXPORT name##suffix params                                                                                         \
    {                                                                                                                  \
        stream = stream ? stream : CU_STREAM_LEGACY;                                                                   \
        return traced(#name #suffix, body args);                                                                       \
    }                                                                                                                  \
    EXPORT name##suffix##_ptsz params                                                                                  \
    {                                                                                                                  \
        stream = stream ? stream : CU_STREAM_PER_THREAD;                                                               \
        return traced(#name #suffix "_ptsz", body args);                                                               \
    }
#define API_DEFAULT(name, suffix, variant, body, params, args)                                                         \
    EXPORT name##suffix params                                                                                         \
    {                                                                                                                  \
        return traced(#name #suffix, body(API_ARGS args, CU_STREAM_LEGACY));                                           \
    }                                                                                                                  \
    EXPORT name##suffix##variant params                                                                                \
    {                                                                                                                  \
        return traced(#name #suffix #variant, body(API_ARGS args, CU_STREAM_PER_THREAD));                              \
    }
#define API_PTDS(name, suffix, since, body, params, args)    API_DEFAULT(name, suffix, _ptds, body, params, args)
#define API_PTSZ_EX(name, suffix, since, body, params, args) API_DEFAULT(name, suffix, _ptsz, body, params, args)
#include "driver/api.def"
