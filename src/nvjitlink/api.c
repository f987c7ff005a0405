// SPDX-License-Identifier: Apache-2.0
// The interface of libnvJitLink. NVIDIA's headers call functions under names with the toolkit's version: all of CUDA 12's and 13.0's
// are there, and mean the same.
#include "base/os.h"
#include "base/reserve.h"
#include "nvjitlink/linker.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Memory that a call asks for before it begins (reserve_begin): times the length of its texts.
enum { ADD_TIMES = 64, LINK_TIMES = 64 };

// Locks the link, for a call that works; else *r says why not.
static struct linker *enter(nvJitLinkHandle handle, nvJitLinkResult *r)
{
    struct linker *l = handle ? alive_enter(handle) : NULL;
    *r = !handle ? NVJITLINK_ERROR_NULL_INPUT : !l ? NVJITLINK_ERROR_INVALID_INPUT : NVJITLINK_SUCCESS;
    return l;
}

static nvJitLinkResult leave(struct linker *l, nvJitLinkResult r)
{
    alive_leave(&l->alive);
    return r;
}

static nvJitLinkResult linker_version(unsigned *major, unsigned *minor)
{
    if (!major || !minor)
        return NVJITLINK_ERROR_NULL_INPUT;
    *major = TOOLKIT_MAJOR;
    *minor = TOOLKIT_MINOR;
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult linker_create(nvJitLinkHandle *handle, uint32_t count, const char *const *options)
{
    if (!handle || !options)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (!reserve_ready())
        return NVJITLINK_ERROR_INTERNAL;
    struct linker *l = xcalloc(1, sizeof *l);
    arena_init(&l->arena);
    l->started = os_time_ns();
    l->refused = linker_options_read(l, count, options);
    alive_add(&l->alive);
    *handle = (nvJitLinkHandle)l;
    return l->refused;
}

static nvJitLinkResult linker_destroy(nvJitLinkHandle *handle)
{
    nvJitLinkResult r = NVJITLINK_ERROR_NULL_INPUT;
    struct linker *l = handle ? enter(*handle, &r) : NULL;
    if (!l)
        return r;
    alive_remove(&l->alive);
    vec_free(&l->kernels);
    vec_free(&l->ptxas);
    vec_free(&l->inputs);
    for (size_t i = 0; i < LINKER_RESULT_COUNT; i++)
        str_free(&l->results[i]);
    arena_fini(&l->arena);
    free(l);
    *handle = NULL;
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult data_add(struct linker *l, nvJitLinkInputType type, const void *data, size_t size,
                                const char *name)
{
    struct reserve reserve;
    if (l->refused)
        return l->refused;
    if (l->complete)
        return NVJITLINK_ERROR_INTERNAL;
    if (!reserve_begin(&reserve, ADD_TIMES * size))
        return NVJITLINK_ERROR_INTERNAL;
    nvJitLinkResult r = linker_input_add(l, type, data, size, name);
    reserve_end(&reserve);
    return r;
}

static nvJitLinkResult linker_add_data(nvJitLinkHandle handle, nvJitLinkInputType type, const void *data, size_t size,
                                       const char *name)
{
    nvJitLinkResult r;
    struct linker *l = enter(handle, &r);
    if (!l)
        return r;
    if (!data)
        return leave(l, NVJITLINK_ERROR_NULL_INPUT);
    return leave(l, size ? data_add(l, type, data, size, name) : NVJITLINK_ERROR_INVALID_INPUT);
}

static nvJitLinkResult linker_add_file(nvJitLinkHandle handle, nvJitLinkInputType type, const char *name)
{
    nvJitLinkResult r;
    size_t size;
    struct linker *l = enter(handle, &r);
    if (!l)
        return r;
    if (!name)
        return leave(l, NVJITLINK_ERROR_NULL_INPUT);
    char *data = os_file_read(name, &size);
    if (!data || !size) {
        str_printf(&l->results[LINKER_ERRORS],
                   !data && errno == ENOENT ? "no such file: %s\n" : "unreadable file: %s\n", name);
        r = NVJITLINK_ERROR_INVALID_INPUT;
    } else {
        r = data_add(l, type, data, size, name);
    }
    free(data);
    return leave(l, r);
}

static nvJitLinkResult linker_complete(nvJitLinkHandle handle)
{
    nvJitLinkResult r;
    struct reserve reserve;
    struct linker *l = enter(handle, &r);
    if (!l)
        return r;
    if (l->refused || l->complete)
        return leave(l, l->refused ? l->refused : NVJITLINK_ERROR_INTERNAL);
    size_t bytes = 0;
    for (size_t i = 0; i < l->inputs.len; i++)
        bytes += l->inputs.data[i].size;
    if (!reserve_begin(&reserve, LINK_TIMES * bytes))
        return leave(l, NVJITLINK_ERROR_INTERNAL);
    r = linker_link(l);
    l->complete = !r;
    reserve_end(&reserve);
    return leave(l, r);
}

// Logs are always there. PTX is asked for by an option; results exist once the link is complete.
static nvJitLinkResult result_check(const struct linker *l, enum linker_result which)
{
    bool ptx = l->options[LINKER_OPT_PTX];
    if (which == LINKER_PTX && !ptx)
        return NVJITLINK_ERROR_INVALID_INPUT;
    if ((which == LINKER_PTX || which == LINKER_CUBIN) && (!l->complete || (which == LINKER_PTX) != ptx))
        return NVJITLINK_ERROR_INTERNAL;
    return NVJITLINK_SUCCESS;
}

static size_t result_bytes(const struct linker *l, enum linker_result which)
{
    size_t n = l->results[which].len;
    return which == LINKER_CUBIN || (!n && which != LINKER_PTX) ? n : n + 1;
}

static nvJitLinkResult linker_size(nvJitLinkHandle handle, enum linker_result which, size_t *size)
{
    nvJitLinkResult r;
    struct linker *l = enter(handle, &r);
    if (!l)
        return r;
    r = size ? result_check(l, which) : NVJITLINK_ERROR_NULL_INPUT;
    if (!r)
        *size = result_bytes(l, which);
    return leave(l, r);
}

static nvJitLinkResult linker_get(nvJitLinkHandle handle, enum linker_result which, void *out)
{
    nvJitLinkResult r;
    struct linker *l = enter(handle, &r);
    if (!l)
        return r;
    r = out ? result_check(l, which) : NVJITLINK_ERROR_NULL_INPUT;
    if (!r)
        memcpy(out, str_text(&l->results[which]), result_bytes(l, which));
    return leave(l, r);
}

// ---- what is exported
#define EXPORT __attribute__((visibility("default")))
// An other name of a function; the version script gives it the version of its library.
#define OTHER(result, name, params, version) EXPORT result __##name##_##version params __attribute__((alias(#name)));
// The plain name by the version of CUDA 12's library.
#define OLDER(result, name, params)                                                                                    \
    EXPORT result heddle_older_##name params __attribute__((alias(#name)));                                            \
    __asm__(".symver " #name ", " #name "@@@libnvJitLink.so.13");                                                      \
    __asm__(".symver heddle_older_" #name ", " #name "@libnvJitLink.so.12");

#define VERSIONLESS(result, name, params, args, call, status)                                                          \
    EXPORT result name params;                                                                                         \
    result name params                                                                                                 \
    {                                                                                                                  \
        return call;                                                                                                   \
    }                                                                                                                  \
    OLDER(result, name, params)
#define ROW(result, name, params, args, call, status)                                                                  \
    VERSIONLESS(result, name, params, args, call, status)                                                              \
    OTHER(result, name, params, 12_0)                                                                                  \
    OTHER(result, name, params, 12_1)                                                                                  \
    OTHER(result, name, params, 12_2)                                                                                  \
    OTHER(result, name, params, 12_3)                                                                                  \
    OTHER(result, name, params, 12_4)                                                                                  \
    OTHER(result, name, params, 12_5)                                                                                  \
    OTHER(result, name, params, 12_6)                                                                                  \
    OTHER(result, name, params, 12_7)                                                                                  \
    OTHER(result, name, params, 12_8)                                                                                  \
    OTHER(result, name, params, 12_9)                                                                                  \
    OTHER(result, name, params, 13_0)
#include "nvjitlink/api.def"
