// SPDX-License-Identifier: Apache-2.0
// nvPTXCompiler: ptxas as a library. A compiled program is an image as ptxas writes it (front/ptx/assemble.h).
#include "base/reserve.h"
#include "base/vec.h"
#include "fatbin/fatbin_write.h"
#include "front/alive.h"
#include "front/ptx/assemble.h"
#include <nvPTXCompiler.h>
#include <stdlib.h>
#include <string.h>

enum { PTX_MAJOR = 9, PTX_MINOR = 0 };
// Memory that a call asks for before it begins (reserve_begin): times the length of its texts.
enum { CREATE_TIMES = 4, COMPILE_TIMES = 64 };

enum result { IMAGE, ERRORS, INFO, RESULT_COUNT };

struct compiler {
    struct alive alive; // one call at a time works on a compiler
    char *text;
    size_t size;
    struct str results[RESULT_COUNT];
    int (*callback)(void *, void *);
    void *payload;
};

static nvPTXCompileResult leave(struct compiler *c, nvPTXCompileResult r)
{
    alive_leave(&c->alive);
    return r;
}

static nvPTXCompileResult version_get(unsigned *major, unsigned *minor)
{
    if (!major || !minor)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    *major = PTX_MAJOR;
    *minor = PTX_MINOR;
    return NVPTXCOMPILE_SUCCESS;
}

static nvPTXCompileResult create(nvPTXCompilerHandle *handle, size_t size, const char *ptx)
{
    struct reserve reserve;
    if (!handle || !ptx || !size)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    if (!reserve_begin(&reserve, CREATE_TIMES * size))
        return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
    struct compiler *c = xcalloc(1, sizeof *c);
    c->size = strnlen(ptx, size);
    c->text = xmalloc(c->size + 1);
    memcpy(c->text, ptx, c->size);
    c->text[c->size] = 0;
    alive_add(&c->alive);
    reserve_end(&reserve);
    *handle = (nvPTXCompilerHandle)c;
    return NVPTXCOMPILE_SUCCESS;
}

static nvPTXCompileResult destroy(nvPTXCompilerHandle *handle)
{
    struct compiler *c = handle ? alive_enter(*handle) : NULL;
    if (!c)
        return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
    alive_remove(&c->alive);
    for (size_t i = 0; i < RESULT_COUNT; i++)
        str_free(&c->results[i]);
    free(c->text);
    free(c);
    *handle = NULL;
    return NVPTXCOMPILE_SUCCESS;
}

static bool is_cancelled(const struct compiler *c)
{
    return c->callback && c->callback(c->payload, NULL);
}

static nvPTXCompileResult assemble(struct compiler *c, int count, const char *const *options)
{
    struct arena arena;
    struct front_ptxas p;
    struct str said = {0};
    unsigned major, minor;
    fatbin_ptx_version(c->text, &major, &minor);
    if (major > PTX_MAJOR || (major == PTX_MAJOR && minor > PTX_MINOR)) {
        str_printf(&c->results[ERRORS], "ptxas fatal   : Unsupported .version %u.%u; current version is '%d.%d'\n",
                   major, minor, PTX_MAJOR, PTX_MINOR);
        return NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION;
    }
    arena_init(&arena);
    bool ok = front_ptxas_read(&p, &arena, options, (size_t)count, &said);
    if (ok) {
        p.assembly.name = "application ptx input";
        p.assembly.text = c->text;
        p.assembly.size = c->size;
        if (!p.assembly.target.sm)
            p.assembly.target.sm = 75; // ptxas's own choice
        ok = front_ptxas_run(&p, &c->results[IMAGE], &c->results[INFO], &said);
    }
    str_append(&c->results[ok ? INFO : ERRORS], str_text(&said));
    if (!ok)
        str_free(&c->results[IMAGE]);
    front_ptxas_fini(&p);
    arena_fini(&arena);
    str_free(&said);
    return ok ? NVPTXCOMPILE_SUCCESS : NVPTXCOMPILE_ERROR_COMPILATION_FAILURE;
}

static nvPTXCompileResult compile(nvPTXCompilerHandle handle, int count, const char *const *options)
{
    struct reserve reserve;
    struct compiler *c = alive_enter(handle);
    if (!c)
        return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
    if (count < 0 || (count && !options))
        return leave(c, NVPTXCOMPILE_ERROR_INVALID_INPUT);
    for (size_t i = 0; i < RESULT_COUNT; i++)
        str_free(&c->results[i]);
    if (!reserve_begin(&reserve, COMPILE_TIMES * c->size))
        return leave(c, NVPTXCOMPILE_ERROR_OUT_OF_MEMORY);
    nvPTXCompileResult r = is_cancelled(c) ? NVPTXCOMPILE_ERROR_CANCELLED : assemble(c, count, options);
    if (!r && is_cancelled(c)) {
        str_free(&c->results[IMAGE]);
        r = NVPTXCOMPILE_ERROR_CANCELLED;
    }
    reserve_end(&reserve);
    return leave(c, r);
}

static nvPTXCompileResult result_check(const struct compiler *c, enum result which, const void *out)
{
    if (!out)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    return which == IMAGE && !c->results[IMAGE].len ? NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE
                                                    : NVPTXCOMPILE_SUCCESS;
}

static nvPTXCompileResult size_get(nvPTXCompilerHandle handle, enum result which, size_t *size)
{
    struct compiler *c = alive_enter(handle);
    if (!c)
        return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
    nvPTXCompileResult r = result_check(c, which, size);
    if (!r)
        *size = c->results[which].len;
    return leave(c, r);
}

static nvPTXCompileResult result_get(nvPTXCompilerHandle handle, enum result which, void *out)
{
    struct compiler *c = alive_enter(handle);
    if (!c)
        return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
    nvPTXCompileResult r = result_check(c, which, out);
    if (!r)
        memcpy(out, str_text(&c->results[which]), c->results[which].len + (which != IMAGE));
    return leave(c, r);
}

static nvPTXCompileResult callback_set(nvPTXCompilerHandle handle, int (*callback)(void *, void *), void *payload)
{
    struct compiler *c = alive_enter(handle);
    if (!c)
        return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
    c->callback = callback;
    c->payload = payload;
    return leave(c, callback ? NVPTXCOMPILE_SUCCESS : NVPTXCOMPILE_ERROR_INVALID_INPUT);
}

#define ROW(result, name, params, args, call, status)                                                                  \
    __attribute__((visibility("default"))) result name params                                                          \
    {                                                                                                                  \
        return call;                                                                                                   \
    }
#include "nvptxcompiler/api.def"
