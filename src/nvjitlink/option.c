// SPDX-License-Identifier: Apache-2.0
// See linker.h. The wording of the messages follows NVIDIA's library, as programs show them.
#include "nvjitlink/linker.h"
#include <string.h>

enum kind { FLAG, VALUE, LEVEL };
static const struct row {
    const char *name;
    enum kind kind;
} table[] = {
#define OPT(id, name, kind, help) {name, kind},
#include "nvjitlink/option.def"
#undef OPT
};

static nvJitLinkResult refuse(struct linker *l, nvJitLinkResult r, const char *format, const char *text)
{
    struct str *log = &l->results[LINKER_ERRORS];
    str_printf(log, format, text);
    str_append(log, "\n");
    return r;
}

static nvJitLinkResult arch_read(struct linker *l, const char *option, const char *value)
{
    bool real = !strncmp(value, "sm_", 3);
    if (!real && strncmp(value, "compute_", 8) != 0)
        return refuse(l, NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
                      "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value (%s)", option);
    if (!target_parse(&l->target, value))
        return refuse(l, NVJITLINK_ERROR_UNSUPPORTED_ARCH,
                      "ERROR NVJITLINK_ERROR_UNSUPPORTED_ARCH: unsupported architecture (compute_%s)",
                      strchr(value, '_') + 1);
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult option_read(struct linker *l, const char *text)
{
    size_t n = strcspn(text, "="), id = 0;
    while (id < LINKER_OPTION_COUNT && !str_is(text, n, table[id].name))
        id++;
    bool level = !strncmp(text, "-O", 2) && strlen(text) == 3;
    if (level)
        id = LINKER_OPT_LEVEL;
    if (id == LINKER_OPTION_COUNT || (table[id].kind == VALUE && !text[n]) || (table[id].kind == LEVEL && !level))
        return refuse(l, NVJITLINK_ERROR_UNRECOGNIZED_OPTION, "unrecognized option: %s", text);
    const char *value = level ? text + 2 : text[n] ? text + n + 1 : "";
    if (level && *value != '0' && *value != '3')
        return refuse(l, NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
                      "unsupported value of -O: %s. Only 0 and 3 are supported.", value);
    if (table[id].kind == VALUE && !*value)
        return refuse(l, NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
                      "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value (%s)", text);
    l->options[id] = arena_strdup(&l->arena, value);
    if (id == LINKER_OPT_KERNELS)
        vec_push(&l->kernels, l->options[id]);
    if (id == LINKER_OPT_XPTXAS)
        vec_push(&l->ptxas, l->options[id]);
    return id == LINKER_OPT_ARCH ? arch_read(l, text, value) : NVJITLINK_SUCCESS;
}

nvJitLinkResult linker_options_read(struct linker *l, uint32_t count, const char *const *options)
{
    for (uint32_t i = 0; i < count; i++) {
        nvJitLinkResult r = options[i] ? option_read(l, options[i]) : NVJITLINK_ERROR_NULL_INPUT;
        if (r)
            return r;
    }
    const char *arch = l->options[LINKER_OPT_ARCH];
    if (!arch)
        return refuse(l, NVJITLINK_ERROR_MISSING_ARCH, "%s", "ERROR: -arch=sm_NN is needed");
    if (l->options[LINKER_OPT_PTX] && !l->options[LINKER_OPT_LTO])
        return refuse(l, NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, "%s", "ERROR: -ptx requires -lto");
    if (arch[0] == 'c' && !l->options[LINKER_OPT_PTX])
        return refuse(l, NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, "%s", "ERROR: virtual arch requires -ptx");
    return NVJITLINK_SUCCESS;
}
