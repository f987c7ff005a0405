// SPDX-License-Identifier: Apache-2.0
// The interface of libnvvm: programs are checked against the list of those alive, so that a stale handle is an error.
#include "nvvm/program.h"
#include "base/reserve.h"
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

// Memory that a call asks for before it begins (reserve_begin): times the length of its texts.
enum { ADD_TIMES = 4, COMPILE_TIMES = 64, COMPILE_BYTES = 64 << 20 };

// Locks the program; NULL: no program that is alive.
static struct program *enter(nvvmProgram handle)
{
    return alive_enter(handle);
}

static nvvmResult leave(struct program *p, nvvmResult r)
{
    alive_leave(&p->alive);
    return r;
}

EXPORT const char *nvvmGetErrorString(nvvmResult result)
{
    static const char *const names[] = {
        "NVVM_SUCCESS",
        "NVVM_ERROR_OUT_OF_MEMORY",
        "NVVM_ERROR_PROGRAM_CREATION_FAILURE",
        "NVVM_ERROR_IR_VERSION_MISMATCH",
        "NVVM_ERROR_INVALID_INPUT",
        "NVVM_ERROR_INVALID_PROGRAM",
        "NVVM_ERROR_INVALID_IR",
        "NVVM_ERROR_INVALID_OPTION",
        "NVVM_ERROR_NO_MODULE_IN_PROGRAM",
        "NVVM_ERROR_COMPILATION",
    };
    return (unsigned)result < sizeof names / sizeof names[0] ? names[result] : "NVVM_ERROR not found";
}

// A place that is not asked for may be NULL.
static void number_give(int *place, int number)
{
    if (place)
        *place = number;
}

EXPORT nvvmResult nvvmVersion(int *major, int *minor)
{
    number_give(major, 2);
    number_give(minor, 0);
    return NVVM_SUCCESS;
}

EXPORT nvvmResult nvvmIRVersion(int *major, int *minor, int *debug_major, int *debug_minor)
{
    number_give(major, 2);
    number_give(minor, 0);
    number_give(debug_major, 3);
    number_give(debug_minor, 2);
    return NVVM_SUCCESS;
}

EXPORT nvvmResult nvvmCreateProgram(nvvmProgram *prog)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!reserve_ready())
        return NVVM_ERROR_OUT_OF_MEMORY;
    struct program *p = xcalloc(1, sizeof *p);
    alive_add(&p->alive);
    *prog = (nvvmProgram)p;
    return NVVM_SUCCESS;
}

EXPORT nvvmResult nvvmDestroyProgram(nvvmProgram *prog)
{
    struct program *p = prog ? enter(*prog) : NULL;
    if (!p)
        return NVVM_ERROR_INVALID_PROGRAM;
    alive_remove(&p->alive);
    for (size_t i = 0; i < p->modules.len; i++) {
        free(p->modules.data[i].name);
        free(p->modules.data[i].data);
    }
    vec_free(&p->modules);
    str_free(&p->log);
    str_free(&p->ptx);
    free(p);
    *prog = NULL;
    return NVVM_SUCCESS;
}

static nvvmResult add(nvvmProgram prog, const char *buffer, size_t size, const char *name, bool lazy)
{
    struct program *p = enter(prog);
    if (!p)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!buffer)
        return leave(p, NVVM_ERROR_INVALID_INPUT);
    const char *called = name && *name ? name : "<unnamed>";
    struct reserve reserve;
    if (!reserve_begin(&reserve, ADD_TIMES * (size + strlen(called))))
        return leave(p, NVVM_ERROR_OUT_OF_MEMORY);
    struct module m = {.name = xstrdup(called), .data = xmalloc(size + 1), .size = size};
    memcpy(m.data, buffer, size);
    m.data[size] = 0;
    m.lazy = lazy;
    vec_push(&p->modules, m);
    reserve_end(&reserve);
    return leave(p, NVVM_SUCCESS);
}

EXPORT nvvmResult nvvmAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name)
{
    return add(prog, buffer, size, name, false);
}

EXPORT nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name)
{
    return add(prog, buffer, size, name, true);
}

static nvvmResult work(nvvmProgram prog, int count, const char **options, bool verify)
{
    struct program *p = enter(prog);
    if (!p)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count && !options))
        return leave(p, NVVM_ERROR_INVALID_INPUT);
    size_t bytes = 0;
    for (size_t i = 0; i < p->modules.len; i++)
        bytes += p->modules.data[i].size;
    struct reserve reserve;
    if (!reserve_begin(&reserve, COMPILE_BYTES + COMPILE_TIMES * bytes))
        return leave(p, NVVM_ERROR_OUT_OF_MEMORY);
    nvvmResult r = program_compile(p, count, options, verify);
    reserve_end(&reserve);
    return leave(p, r);
}

EXPORT nvvmResult nvvmCompileProgram(nvvmProgram prog, int count, const char **options)
{
    return work(prog, count, options, false);
}

EXPORT nvvmResult nvvmVerifyProgram(nvvmProgram prog, int count, const char **options)
{
    return work(prog, count, options, true);
}

// Sizes count the zero.
static nvvmResult size_get(nvvmProgram prog, size_t offset, size_t *size)
{
    struct program *p = enter(prog);
    if (!p)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!size)
        return leave(p, NVVM_ERROR_INVALID_INPUT);
    *size = ((struct str *)((char *)p + offset))->len + 1;
    return leave(p, NVVM_SUCCESS);
}

static nvvmResult text_get(nvvmProgram prog, size_t offset, char *out)
{
    struct program *p = enter(prog);
    if (!p)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!out)
        return leave(p, NVVM_ERROR_INVALID_INPUT);
    const struct str *s = (struct str *)((char *)p + offset);
    memcpy(out, str_text(s), s->len + 1);
    return leave(p, NVVM_SUCCESS);
}

EXPORT nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, size_t *size)
{
    return size_get(prog, offsetof(struct program, ptx), size);
}

EXPORT nvvmResult nvvmGetCompiledResult(nvvmProgram prog, char *buffer)
{
    return text_get(prog, offsetof(struct program, ptx), buffer);
}

EXPORT nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, size_t *size)
{
    return size_get(prog, offsetof(struct program, log), size);
}

EXPORT nvvmResult nvvmGetProgramLog(nvvmProgram prog, char *buffer)
{
    return text_get(prog, offsetof(struct program, log), buffer);
}
