// SPDX-License-Identifier: Apache-2.0
// The link: NVVM IR becomes one PTX text (libnvvm), all texts become one (ptx_link.h), and that an image, a fat binary with PTX: code is
// made, and optimised as a whole, on the device.
#include "base/os.h"
#include "fatbin/device_link.h"
#include "fatbin/fatbin_write.h"
#include "front/ptx/assemble.h"
#include "nvjitlink/linker.h"
#include <nvvm.h>
#include <stdlib.h>
#include <string.h>

static bool has(const struct linker *l, enum linker_option id)
{
    return l->options[id] != NULL;
}

static nvJitLinkResult fail(struct linker *l, nvJitLinkResult r, const char *text)
{
    str_append(&l->results[LINKER_ERRORS], text);
    return r;
}

// What link-time optimisation asks of the inputs.
static nvJitLinkResult inputs_check(struct linker *l)
{
    size_t bare = 0;
    for (size_t i = 0; i < l->inputs.len; i++)
        bare += l->inputs.data[i].bare;
    if (!has(l, LINKER_OPT_LTO))
        return NVJITLINK_SUCCESS;
    if (has(l, LINKER_OPT_PTX) && bare)
        return fail(l, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, "ERROR: -ptx requires that all inputs have LTOIR\n");
    if (bare == l->inputs.len)
        return fail(l, NVJITLINK_ERROR_NVVM_COMPILE, "ERROR in nvvmCompileProgram: NVVM_ERROR_NO_MODULE_IN_PROGRAM\n");
    return NVJITLINK_SUCCESS;
}

static nvvmResult modules_add(struct linker *l, nvvmProgram p, size_t *count)
{
    nvvmResult r = NVVM_SUCCESS;
    for (size_t i = 0; i < l->inputs.len && !r; i++) {
        const struct linker_input *in = &l->inputs.data[i];
        if (in->ir) {
            r = nvvmAddModuleToProgram(p, in->text, in->size, in->name);
            ++*count;
        }
    }
    return r;
}

static nvvmResult modules_compile(struct linker *l, nvvmProgram p)
{
    static const struct {
        enum linker_option id;
        const char *name;
    } same[] = {{LINKER_OPT_FTZ, "-ftz"},
                {LINKER_OPT_PREC_DIV, "-prec-div"},
                {LINKER_OPT_PREC_SQRT, "-prec-sqrt"},
                {LINKER_OPT_FMA, "-fma"}};
    struct texts options = {0};
    vec_push(&options, arena_printf(&l->arena, "-arch=compute_%u%s", l->target.sm, l->target.suffix));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (has(l, same[i].id))
            vec_push(&options, arena_printf(&l->arena, "%s=%d", same[i].name, atoi(l->options[same[i].id]) != 0));
    if (has(l, LINKER_OPT_LEVEL))
        vec_push(&options, arena_printf(&l->arena, "-opt=%s", l->options[LINKER_OPT_LEVEL]));
    if (has(l, LINKER_OPT_DEBUG))
        vec_push(&options, "-g");
    if (has(l, LINKER_OPT_LINEINFO))
        vec_push(&options, "-generate-line-info");
    nvvmResult r = nvvmCompileProgram(p, (int)options.len, options.data);
    vec_free(&options);
    return r;
}

// The PTX of all NVVM IR, of the arena; NULL in *text: there is none.
static nvJitLinkResult ir_compile(struct linker *l, char **text)
{
    nvvmProgram p = NULL;
    size_t count = 0, size = 0;
    *text = NULL;
    nvvmResult r = nvvmCreateProgram(&p);
    r = r ? r : modules_add(l, p, &count);
    if (!r && count)
        r = modules_compile(l, p);
    if (!r && count && !(r = nvvmGetCompiledResultSize(p, &size))) {
        *text = arena_alloc(&l->arena, size + 1);
        r = nvvmGetCompiledResult(p, *text);
    }
    if (r) {
        struct str *errors = &l->results[LINKER_ERRORS];
        str_printf(errors, "ERROR in nvvmCompileProgram: %s\n", nvvmGetErrorString(r));
        if (p && !nvvmGetProgramLogSize(p, &size) && size > 1) {
            char *log = arena_alloc(&l->arena, size);
            nvvmGetProgramLog(p, log);
            str_printf(errors, "%s\n", log);
        }
    }
    if (p)
        nvvmDestroyProgram(&p);
    return r ? NVJITLINK_ERROR_NVVM_COMPILE : NVJITLINK_SUCCESS;
}

// The folder of the device runtime in the toolkit's tree; NULL: not known.
static const char *runtime_dir(struct linker *l)
{
    char self[4096];
    return os_self_dir((const void *)(uintptr_t)runtime_dir, self, sizeof self)
               ? arena_printf(&l->arena, "%s/../nvvm/cudadevrt", self)
               : NULL;
}

static bool texts_link(struct linker *l, const char *ir, struct str *out, struct diag *d)
{
    struct ptx_link_input *in = xcalloc(l->inputs.len + 1 + DEVICE_RUNTIME_TEXTS, sizeof *in);
    size_t n = 0;
    if (ir)
        in[n++] = (struct ptx_link_input){"lto", ir};
    for (size_t i = 0; i < l->inputs.len; i++)
        if (!l->inputs.data[i].ir)
            in[n++] = (struct ptx_link_input){l->inputs.data[i].name, l->inputs.data[i].text};
    size_t added = device_runtime_add(runtime_dir(l), in, n);
    bool ok = ptx_link(in, n + added, l->target.sm, !has(l, LINKER_OPT_OPEN), out, d);
    for (size_t i = 0; i < added; i++)
        free((char *)(uintptr_t)in[n + i].text);
    free(in);
    return ok && front_shared_check(str_text(out), out->len, d);
}

// Which kernels are kept, and how many registers they may have.
static void text_change(const struct linker *l, struct str *text)
{
    size_t size;
    unsigned long limit = has(l, LINKER_OPT_MAXRREG) ? strtoul(l->options[LINKER_OPT_MAXRREG], NULL, 10) : 0;
    char *changed = l->kernels.len ? front_ptx_select(str_text(text), &l->kernels, &size) : NULL;
    for (int i = 0; i < 2; i++) {
        if (changed) {
            text->len = 0;
            str_append_n(text, changed, size);
            free(changed);
        }
        changed = i == 0 && limit ? front_ptx_limit_registers(str_text(text), limit, &size) : NULL;
    }
}

static void result_write(struct linker *l, const struct str *text)
{
    struct fatbin_item item = {
        .ptx = str_text(text), .size = text->len, .sm = l->target.sm, .debug = has(l, LINKER_OPT_DEBUG)};
    if (has(l, LINKER_OPT_PTX))
        str_append_n(&l->results[LINKER_PTX], str_text(text), text->len);
    else
        fatbin_write(&l->results[LINKER_CUBIN], &item, text->len ? 1 : 0); // nothing to link is no error
}

nvJitLinkResult linker_link(struct linker *l)
{
    struct str text = {0}, *errors = &l->results[LINKER_ERRORS];
    uint64_t begun = os_time_ns();
    char *ir;
    struct diag d;
    nvJitLinkResult r = inputs_check(l);
    if (r || (r = ir_compile(l, &ir)))
        return r;
    diag_init(&d, NULL);
    if (l->inputs.len && !texts_link(l, ir, &text, &d)) {
        front_messages(errors, "nvlink", str_text(&d.text));
        r = fail(l, NVJITLINK_ERROR_INTERNAL, "ERROR 9: finish\n");
    } else {
        if (l->inputs.len)
            text_change(l, &text);
        result_write(l, &text);
    }
    if (!r && has(l, LINKER_OPT_TIME))
        str_printf(&l->results[LINKER_INFO],
                   "nvJitLink time until Complete: %f\nnvJitLinkComplete time to finish: %f\n",
                   (double)(begun - l->started) / 1e6, (double)(os_time_ns() - begun) / 1e6);
    diag_fini(&d);
    str_free(&text);
    return r;
}
