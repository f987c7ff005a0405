// SPDX-License-Identifier: Apache-2.0
// The interface of libnvrtc: programs are checked against the list of those alive, so that a stale handle is an error.
#include "nvrtc/program.h"
#include "base/reserve.h"
#include "front/front.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

// Memory that a call asks for before it begins (reserve_begin): times the length of its texts. The compiler is a process of its own;
// its output becomes the program's result by way of a few copies.
enum { CREATE_TIMES = 4, COMPILE_TIMES = 64, COMPILE_BYTES = 64 << 20 };

static atomic_size_t pch_heap = 256u << 20;

// Locks the program; NULL: no program that is alive.
static struct program *enter(nvrtcProgram handle)
{
    return alive_enter(handle);
}

static nvrtcResult leave(struct program *p, nvrtcResult r)
{
    alive_leave(&p->alive);
    return r;
}

EXPORT const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {
        "NVRTC_SUCCESS",
        "NVRTC_ERROR_OUT_OF_MEMORY",
        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        "NVRTC_ERROR_INVALID_INPUT",
        "NVRTC_ERROR_INVALID_PROGRAM",
        "NVRTC_ERROR_INVALID_OPTION",
        "NVRTC_ERROR_COMPILATION",
        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
        "NVRTC_ERROR_INTERNAL_ERROR",
        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
        "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
        "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
        "NVRTC_ERROR_PCH_CREATE",
        "NVRTC_ERROR_CANCELLED",
        "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
    };
    return (unsigned)result < sizeof names / sizeof names[0] ? names[result] : "NVRTC_ERROR unknown";
}

EXPORT nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    *major = TOOLKIT_MAJOR;
    *minor = TOOLKIT_MINOR;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    const unsigned *numbers;
    if (!count)
        return NVRTC_ERROR_INVALID_INPUT;
    *count = (int)target_list(&numbers);
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetSupportedArchs(int *archs)
{
    const unsigned *numbers;
    size_t n = target_list(&numbers);
    if (!archs)
        return NVRTC_ERROR_INVALID_INPUT;
    for (size_t i = 0; i < n; i++)
        archs[i] = (int)numbers[i];
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name, int count,
                                      const char *const *headers, const char *const *names)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!src || count < 0 || (count && (!headers || !names)))
        return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < count; i++)
        if (!headers[i] || !names[i])
            return NVRTC_ERROR_INVALID_INPUT;
    size_t bytes = strlen(src);
    for (int i = 0; i < count; i++)
        bytes += strlen(headers[i]) + strlen(names[i]);
    struct reserve reserve;
    if (!reserve_begin(&reserve, CREATE_TIMES * bytes))
        return NVRTC_ERROR_OUT_OF_MEMORY;
    struct program *p = xcalloc(1, sizeof *p);
    p->source = xstrdup(src);
    p->name = xstrdup(name && *name ? name : "default_program");
    for (int i = 0; i < count; i++) {
        vec_push(&p->headers, xstrdup(headers[i]));
        vec_push(&p->header_names, xstrdup(names[i]));
    }
    p->pch_status = NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED;
    alive_add(&p->alive);
    reserve_end(&reserve);
    *prog = (nvrtcProgram)p;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog)
{
    struct program *p = prog ? enter(*prog) : NULL;
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    alive_remove(&p->alive);
    program_clear(p);
    program_texts_free(&p->headers);
    program_texts_free(&p->header_names);
    program_texts_free(&p->expressions);
    free(p->name);
    free(p->source);
    free(p);
    *prog = NULL;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int count, const char *const *options)
{
    struct program *p = enter(prog);
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count && !options))
        return leave(p, NVRTC_ERROR_INVALID_INPUT);
    struct reserve reserve;
    if (!reserve_begin(&reserve, COMPILE_BYTES + COMPILE_TIMES * strlen(p->source)))
        return leave(p, NVRTC_ERROR_OUT_OF_MEMORY);
    nvrtcResult r = program_compile(p, count, options);
    reserve_end(&reserve);
    return leave(p, r);
}

// A text counts with its zero, bytes without.
static nvrtcResult size_get(nvrtcProgram prog, size_t offset, size_t zero, size_t *size)
{
    struct program *p = enter(prog);
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!size)
        return leave(p, NVRTC_ERROR_INVALID_INPUT);
    *size = ((struct str *)((char *)p + offset))->len + zero;
    return leave(p, NVRTC_SUCCESS);
}

static nvrtcResult bytes_get(nvrtcProgram prog, size_t offset, size_t zero, char *out)
{
    struct program *p = enter(prog);
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!out)
        return leave(p, NVRTC_ERROR_INVALID_INPUT);
    const struct str *s = (struct str *)((char *)p + offset);
    memcpy(out, str_text(s), s->len + zero);
    return leave(p, NVRTC_SUCCESS);
}

EXPORT nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *size)
{
    return size_get(prog, offsetof(struct program, ptx), 1, size);
}

EXPORT nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx)
{
    return bytes_get(prog, offsetof(struct program, ptx), 1, ptx);
}

EXPORT nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *size)
{
    return size_get(prog, offsetof(struct program, image), 0, size);
}

EXPORT nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin)
{
    return bytes_get(prog, offsetof(struct program, image), 0, cubin);
}

EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *size)
{
    return size_get(prog, offsetof(struct program, log), 1, size);
}

EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log)
{
    return bytes_get(prog, offsetof(struct program, log), 1, log);
}

// There is none of these: the options that ask for them are refused.
static nvrtcResult nothing(nvrtcProgram prog, void *out, size_t *size)
{
    struct program *p = enter(prog);
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (size)
        *size = 0;
    return leave(p, out || size ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT);
}

EXPORT nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *size)
{
    return size_get(prog, offsetof(struct program, lto), 0, size);
}

EXPORT nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *out)
{
    return bytes_get(prog, offsetof(struct program, lto), 0, out);
}

EXPORT nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *size)
{
    return nothing(prog, NULL, size);
}

EXPORT nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *out)
{
    return nothing(prog, out, NULL);
}

EXPORT nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *const expression)
{
    struct program *p = enter(prog);
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression)
        return leave(p, NVRTC_ERROR_INVALID_INPUT);
    if (p->compiled)
        return leave(p, NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    struct reserve reserve;
    if (!reserve_begin(&reserve, CREATE_TIMES * strlen(expression)))
        return leave(p, NVRTC_ERROR_OUT_OF_MEMORY);
    vec_push(&p->expressions, xstrdup(expression));
    reserve_end(&reserve);
    return leave(p, NVRTC_SUCCESS);
}

EXPORT nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *const expression, const char **name)
{
    struct program *p = enter(prog);
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !name)
        return leave(p, NVRTC_ERROR_INVALID_INPUT);
    if (!p->compiled)
        return leave(p, NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    for (size_t i = 0; i < p->expressions.len && i < p->lowered.len; i++)
        if (!strcmp(p->expressions.data[i], expression)) {
            *name = p->lowered.data[i];
            return leave(p, NVRTC_SUCCESS);
        }
    return leave(p, NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
}

// Precompiled headers are files here and need no heap of this process: the size is only kept.
EXPORT nvrtcResult nvrtcGetPCHHeapSize(size_t *size)
{
    if (!size)
        return NVRTC_ERROR_INVALID_INPUT;
    *size = atomic_load(&pch_heap);
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcSetPCHHeapSize(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    atomic_store(&pch_heap, (size + page - 1) / page * page);
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog)
{
    struct program *p = enter(prog);
    return p ? leave(p, p->pch_status) : NVRTC_ERROR_INVALID_PROGRAM;
}

EXPORT nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t *size)
{
    return nothing(prog, NULL, size);
}

EXPORT nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void *, void *), void *payload)
{
    struct program *p = enter(prog);
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!callback)
        return leave(p, NVRTC_ERROR_INVALID_INPUT);
    p->flow = callback;
    p->flow_payload = payload;
    return leave(p, NVRTC_SUCCESS);
}
