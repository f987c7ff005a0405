// SPDX-License-Identifier: Apache-2.0
// Results: names and texts, and the last error of each host thread.
#include "runtime/runtime.h"
#include "base/process/sanitizer.h"

struct error_row {
    cudaError_t code;
    bool sticky;
    const char *name, *text;
};

static const struct error_row error_table[] = {
#define ERR(name, text, sticky) {name, sticky, #name, text},
#include "base/runtime_error.def"
#undef ERR
};

static _Thread_local struct {
    cudaError_t code;
    unsigned generation; // of the contexts, when it happened
} last;

static const struct error_row *row_find(cudaError_t e)
{
    for (size_t i = 0; i < sizeof error_table / sizeof *error_table; i++)
        if (error_table[i].code == e)
            return &error_table[i];
    return NULL;
}

cudaError_t rt_fail(cudaError_t e)
{
    if (e != cudaSuccess && e != cudaErrorNotReady) { // which is an answer
        last.code = e;
        last.generation = atomic_load_explicit(&rt_process.generation, memory_order_relaxed);
        if (__builtin_expect(sanitizer_on(), 0)) {
            const struct error_row *row = row_find(e);
            sanitizer_api_error(NULL, (int)e, row ? row->name : "cudaErrorUnknown", row ? row->text : "unknown error");
        }
    }
    return e;
}

cudaError_t rt_fail_driver(CUresult r)
{
    // The driver's numbers are the runtime's, as far as the runtime has them.
    cudaError_t e = (cudaError_t)r;
    return rt_fail(row_find(e) ? e : cudaErrorUnknown);
}

void rt_errors_reset(void)
{
    last.code = cudaSuccess;
}

cudaError_t cudaPeekAtLastError(void)
{
    const struct error_row *row = last.code ? row_find(last.code) : NULL;
    // A lost context that was reset meanwhile is forgotten, also by the threads that did not reset it.
    if (row && row->sticky && last.generation != atomic_load_explicit(&rt_process.generation, memory_order_relaxed))
        last.code = cudaSuccess;
    return last.code;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t e = cudaPeekAtLastError();
    last.code = cudaSuccess; // a lost context tells its error again with the next call, not here
    return e;
}

const char *cudaGetErrorName(cudaError_t error)
{
    const struct error_row *row = row_find(error);
    return row ? row->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    const struct error_row *row = row_find(error);
    return row ? row->text : "unrecognized error code";
}
