// See front.h.
#include "front/front.h"
#include <limits.h>
#include <stdlib.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static void add(struct texts *argv, const char *arg)
{
    vec_push(argv, arg);
}

void front_add_inner(struct texts *argv, const char *arg)
{
    add(argv, "-Xclang");
    add(argv, arg);
}

void front_add_cuda(struct texts *argv, const struct toolkit *t, const struct front_options *o)
{
    add(argv, t->clangxx);
    add(argv, "-x");
    add(argv, "cuda");
    add(argv, "--cuda-path=/nonexistent"); // or clang takes any toolkit that it finds
    add(argv, "-nocudainc");
    add(argv, "-nocudalib");
    if (t->clang_version >= 20)
        add(argv, "--no-offload-new-driver");
    else
        front_add_inner(argv, "-fcuda-allow-variadic-functions"); // later ones do where none is called
    front_add_inner(argv, "-target-sdk-version=12.5");
    add(argv, "-fuse-cuid=none"); // the one that is named counts
    front_add_inner(argv, arena_printf(t->arena, "-cuid=%s", o->unit));
    add(argv, arena_printf(t->arena, "-std=%s", o->std));
    add(argv, "-D__CUDACC__=1");
}

void front_add_versions(struct texts *argv, const struct toolkit *t)
{
    add(argv, arena_printf(t->arena, "-D__CUDACC_VER_MAJOR__=%d", TOOLKIT_MAJOR));
    add(argv, arena_printf(t->arena, "-D__CUDACC_VER_MINOR__=%d", TOOLKIT_MINOR));
    add(argv, arena_printf(t->arena, "-D__CUDACC_VER_BUILD__=%d", TOOLKIT_BUILD));
    add(argv, arena_printf(t->arena, "-D__CUDA_API_VER_MAJOR__=%d", TOOLKIT_MAJOR));
    add(argv, arena_printf(t->arena, "-D__CUDA_API_VER_MINOR__=%d", TOOLKIT_MINOR));
}

void front_add_folders(struct texts *argv, const struct toolkit *t, const struct texts *folders, const char *word)
{
    for (size_t i = 0; i < folders->len; i++) {
        bool toolkit = !access(arena_printf(t->arena, "%s/cuda_runtime.h", folders->data[i]), R_OK);
        add(argv, toolkit ? "-idirafter" : word);
        add(argv, folders->data[i]);
    }
}

void front_add_headers(struct texts *argv, const struct toolkit *t)
{
    // Where a toolkit has its C++ libraries: they have a <cuda/std/...> of their own, which takes the place of ours
    // whole.
    const char *libraries = arena_printf(t->arena, "%s/cccl", t->include);
    if (!access(libraries, R_OK)) {
        add(argv, "-isystem");
        add(argv, libraries);
    }
    add(argv, "-isystem");
    add(argv, t->include);
}

void front_add_modes(struct texts *argv, const struct front_options *o)
{
    if (o->extended_lambda)
        add(argv, "-D__CUDACC_EXTENDED_LAMBDA__=1");
    if (o->relaxed_constexpr)
        add(argv, "-D__CUDACC_RELAXED_CONSTEXPR__=1");
    if (o->rdc) {
        add(argv, "-fgpu-rdc");
        add(argv, o->ewp ? "-D__CUDACC_EWP__=1" : "-D__CUDACC_RDC__=1");
    }
    if (o->device_debug && !o->dopt)
        add(argv, "-D__CUDACC_DEBUG__=1");
    if (o->per_thread_stream) {
        front_add_inner(argv, "-fgpu-default-stream=per-thread");
        add(argv, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    }
    if (o->fast_math)
        add(argv, "-D__USE_FAST_MATH__=1");
    add(argv, "-Wno-unknown-cuda-version");
    add(argv, "-Wno-pass-failed"); // an unroll pragma that cannot be followed
    add(argv, "-Wno-cuda-compat"); // '#pragma unroll (n)', which CUDA takes
    // Warnings for the compilers that programs were written with.
    add(argv, "-Wno-error=c++11-narrowing");
    add(argv, "-Wno-error=register");
    add(argv, "-Wno-error=missing-template-arg-list-after-template-kw");
    add(argv, "-Wno-error=reserved-user-defined-literal");
    add(argv, "-Wno-invalid-constexpr"); // of mathematics, which g++ evaluates
}

// What LLVM is told, whether it gets a source or a module.
static void add_code(struct texts *argv, const struct toolkit *t, const struct front_options *o,
                     const struct target *target)
{
    add(argv, "-S");
    add(argv, arena_printf(t->arena, "--cuda-feature=+%s", target_ptx_feature(target)));
    if (!o->prec_div) {
        add(argv, "-mllvm");
        add(argv, "-nvptx-prec-divf32=0");
    }
    if (!o->prec_sqrt) {
        add(argv, "-mllvm");
        add(argv, "-nvptx-prec-sqrtf32=0");
    }
    add(argv, o->fmad ? "-ffp-contract=fast" : "-ffp-contract=off");
    if (o->device_debug && !o->dopt)
        add(argv, "-O0");
    else
        add(argv, arena_printf(t->arena, "-O%u", o->level ? o->level : 3));
}

// The front end has no targets of families.
static const char *target_suffix(const struct target *t)
{
    return t->suffix[0] == 'f' ? "" : t->suffix;
}

void front_add_module(struct texts *argv, const struct toolkit *t, const struct front_options *o,
                      const struct target *target)
{
    add(argv, t->clangxx);
    add(argv, "--target=nvptx64-nvidia-cuda");
    add(argv, "-nogpulib");
    add(argv, arena_printf(t->arena, "-march=sm_%u%s", target->sm, target_suffix(target)));
    add_code(argv, t, o, target);
    add(argv, "-x");
    add(argv, "ir");
}

void front_add_device(struct texts *argv, const struct toolkit *t, const struct front_options *o,
                      const struct target *target)
{
    add(argv, "--cuda-device-only");
    add(argv, arena_printf(t->arena, "--cuda-gpu-arch=sm_%u%s", target->sm, target_suffix(target)));
    add(argv, "-DCUDA_DOUBLE_MATH_FUNCTIONS=1");
    if (target->suffix[0] == 'a')
        add(argv, arena_printf(t->arena, "-D__CUDA_ARCH_SPECIFIC__=%u", target->sm * 10));
    if (target->suffix[0])
        add(argv, arena_printf(t->arena, "-D__CUDA_ARCH_FAMILY_SPECIFIC__=%u", target->sm * 10));
    if (CHAR_MIN == 0)
        add(argv, "-funsigned-char"); // plain char has the host's sign on both sides
    add(argv, "-fno-builtin-malloc"); // it can fail on a device: tests of its result must stay
    // Ends of lifetimes make a `break` out of a scope a flag that is tested twice, and LLVM threads no jumps where
    // threads may diverge: a loop that breaks takes 1.1 of its time on a GPU.
    front_add_inner(argv, "-disable-lifetime-markers");
    if (o->ftz)
        add(argv, "-fgpu-flush-denormals-to-zero");
    if (o->fast_math)
        add(argv, "-fgpu-approx-transcendentals");
    add_code(argv, t, o, target);
    if (t->devmath) {
        front_add_inner(argv, "-mlink-builtin-bitcode");
        front_add_inner(argv, t->devmath);
    }
    if (o->device_debug && !o->dopt)
        add(argv, "-g");
    else if (o->lineinfo || o->device_debug)
        add(argv, "-gline-directives-only");
}

// ---- PTX as clang writes it, mended
static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static size_t name_length(const char *p)
{
    size_t n = 0;
    while (is_name(p[n]))
        n++;
    return n;
}

// With -rdc=true a static variable gets a name that no other file has, NAME__static__HASH; code that clang saw before
// still says NAME, which is then declared extern. The long name for such a NAME; NULL: it is none.
static const char *static_name(const char *ptx, const char *name, size_t n, size_t *length)
{
    static const char mark[] = "__static__";
    for (const char *p = ptx; (p = strstr(p, mark)); p += strlen(mark))
        if ((size_t)(p - ptx) > n && !is_name(p[-(ptrdiff_t)n - 1]) && !memcmp(p - n, name, n)) {
            *length = name_length(p - n);
            return p - n;
        }
    return NULL;
}

static bool is_variable(const char *p)
{
    return !strncmp(p, ".extern .global ", 16) || !strncmp(p, ".extern .const ", 15);
}

static void statics_mend(const char *ptx, struct str *out)
{
    struct VEC(const char *) names = {0}; // in the text, each ends where its characters end
    const char *p = ptx;
    for (const char *e = ptx; (e = strstr(e, ".extern .")); e++) {
        if (!is_variable(e))
            continue;
        const char *end = e + strcspn(e, ";\n"), *name = end;
        while (name > e && *name != '[')
            name--;
        name = name > e ? name : end;
        while (!is_name(name[-1]))
            name--;
        size_t n = 0, length;
        while (is_name(name[-1 - (ptrdiff_t)n]))
            n++;
        if (static_name(ptx, name - n, n, &length))
            vec_push(&names, name - n);
    }
    while (names.len && *p) {
        size_t n = is_name(*p) ? name_length(p) : 0, length;
        const char *full = NULL;
        for (size_t i = 0; i < names.len && n; i++)
            if (name_length(names.data[i]) == n && !memcmp(names.data[i], p, n))
                full = static_name(ptx, p, n, &length);
        if (is_variable(p)) { // the declaration goes with its line
            const char *end = p + strcspn(p, "\n");
            bool ours = false;
            for (size_t i = 0; i < names.len; i++)
                ours |= names.data[i] > p && names.data[i] < end;
            if (ours) {
                p = end;
                continue;
            }
        }
        str_append_n(out, full ? full : p, full ? length : n ? n : 1);
        p += n ? n : 1;
    }
    str_append(out, p);
    vec_free(&names);
}

static void managed_mend(const char *ptx, struct str *out)
{
    static const char mark[] = ".global .align 8192 ", word[] = ".global .attribute(.managed) .align 128 ";
    const char *p;
    for (; (p = strstr(ptx, mark)); ptx = p + strlen(mark)) {
        str_append_n(out, ptx, (size_t)(p - ptx));
        str_append(out, word);
    }
    str_append(out, ptx);
}

// The name stands between two places of the text, comments apart.
static bool names(const char *p, const char *end, const char *name, size_t n)
{
    while (p < end) {
        if (p[0] == '/' && p[1] == '/')
            p += strcspn(p, "\n");
        size_t length = is_name(*p) ? name_length(p) : 0;
        if (length == n && !memcmp(p, name, n))
            return true;
        p += length ? length : 1;
    }
    return false;
}

// Kernels that launch others use their addresses; clang does not declare those that come later in the text.
static void kernels_mend(const char *ptx, struct str *out)
{
    static const char entry[] = ".entry ", head[] = ".address_size";
    const char *start = strstr(ptx, head);
    start = start && strstr(ptx, "LaunchDevice") ? start + strcspn(start, "\n") : NULL;
    if (start)
        str_append_n(out, ptx, (size_t)(start - ptx));
    for (const char *p = start; p && (p = strstr(p, entry)); p++) {
        const char *name = p + strlen(entry), *line = p, *end = name + strcspn(name, "({");
        while (line > ptx && line[-1] != '\n')
            line--;
        if (!names(start, p, name, name_length(name)))
            continue;
        if (*end == '(')
            end += strcspn(end, ")") + 1; // comments in between have no brackets
        str_printf(out, "\n%.*s;", (int)(end - line), line);
    }
    str_append(out, start ? start : ptx);
}

char *front_ptx_mend(const char *ptx, size_t *size)
{
    struct str statics = {0}, managed = {0}, out = {0};
    statics_mend(ptx, &statics);
    managed_mend(str_text(&statics), &managed);
    kernels_mend(str_text(&managed), &out);
    str_free(&statics);
    str_free(&managed);
    *size = out.len;
    return out.data;
}

char *front_ptx_close_variables(const char *ptx, size_t *size)
{
    static const char word[] = ".visible ", *const spaces[] = {".global ", ".const "};
    struct str out = {0};
    const char *done = ptx;
    for (const char *p = ptx; (p = strstr(p, word)); p += strlen(word)) {
        const char *after = p + strlen(word);
        if ((p > ptx && p[-1] != '\n') || (strncmp(after, spaces[0], 8) && strncmp(after, spaces[1], 7)))
            continue;
        str_append_n(&out, done, (size_t)(p - done));
        done = after;
    }
    str_append(&out, done);
    *size = out.len;
    return out.data;
}

char *front_ptx_limit_registers(const char *ptx, unsigned long count, size_t *size)
{
    struct str out = {0};
    const char *done = ptx;
    for (const char *p = ptx; (p = strstr(p, ".entry "));) {
        const char *body = strchr(p, '{'), *own = strstr(p, ".maxnreg");
        if (!body)
            break;
        str_append_n(&out, done, (size_t)(body - done));
        if (!own || own > body)
            str_printf(&out, ".maxnreg %lu\n", count);
        done = p = body;
    }
    str_append(&out, done);
    *size = out.len;
    return out.data;
}
