// SPDX-License-Identifier: Apache-2.0
// See input.h.
#include "nvrtc/input.h"
#include "base/os.h"
#include "nvrtc/log.h"
#include "nvrtc/names.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

const char *input_temp(struct compilation *c, const char *name)
{
    return arena_printf(&c->arena, "%s/%s", c->dir, name);
}

bool input_write(struct compilation *c, const char *path, const char *text, size_t size)
{
    if (os_file_write(path, text, size))
        return true;
    str_printf(&c->program->log, "nvrtc: error: '%s' cannot be written: %s\n", path, strerror(errno));
    return false;
}

static void append_line_name(struct str *s, size_t line, const char *name)
{
    str_printf(s, "#line %zu ", line);
    str_append_quoted(s, name);
    str_append(s, "\n");
}

// One file of the overlay, with a time that is always the same.
static bool overlay_add(struct compilation *c, struct str *yaml, const char *name, const char *text, size_t size)
{
    const char *path = input_temp(c, arena_printf(&c->arena, "virtual-%zu", yaml->len));
    bool ok = input_write(c, path, text, size);
    utimensat(AT_FDCWD, path, (struct timespec[]){{.tv_sec = 1}, {.tv_sec = 1}}, 0);
    str_append(yaml, yaml->len ? ",\n{\"type\": \"file\", \"name\": " : "\n{\"type\": \"file\", \"name\": ");
    str_append_quoted(yaml, *name == '/' ? name : arena_printf(&c->arena, "%s/%s", c->headers, name));
    str_append(yaml, ", \"external-contents\": ");
    str_append_quoted(yaml, path);
    str_append(yaml, "}");
    return ok;
}

bool input_write_headers(struct compilation *c, size_t prefix)
{
    struct program *p = c->program;
    if (!p->headers.len && !prefix)
        return true;
    struct hash128 h;
    char hex[33];
    hash128_init(&h);
    for (size_t i = 0; i < p->headers.len; i++) {
        hash128_add_text(&h, p->header_names.data[i]);
        hash128_add_text(&h, p->headers.data[i]);
    }
    hash128_add(&h, p->source, prefix);
    hash128_hex(&h, hex);
    c->headers = arena_printf(&c->arena, VIRTUAL_ROOT "/%.16s", hex);
    struct str list = {0}, yaml = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < p->headers.len; i++)
        ok = overlay_add(c, &list, p->header_names.data[i], p->headers.data[i], strlen(p->headers.data[i]));
    if (prefix) {
        struct str s = {0};
        str_append(&s, "#include \"cuda_runtime.h\"\n");
        const struct texts *t = &c->options.values[RTC_PRE_INCLUDE];
        for (size_t i = 0; i < t->len; i++)
            str_printf(&s, "#include \"%s\"\n", t->data[i]);
        append_line_name(&s, 1, p->name);
        str_append_n(&s, p->source, prefix);
        ok = ok && overlay_add(c, &list, PREFIX_FILE, s.data, s.len);
        str_free(&s);
    }
    str_printf(&yaml, "{\"version\": 0, \"case-sensitive\": true, \"use-external-names\": false, \"roots\": [%s]}\n",
               str_text(&list));
    c->overlay = input_temp(c, "overlay.yaml");
    ok = ok && input_write(c, c->overlay, yaml.data, yaml.len);
    str_free(&yaml);
    str_free(&list);
    return ok;
}

void input_read_options(struct compilation *c)
{
    const struct rtc_options *o = &c->options;
    bool fast = rtc_has(o, RTC_FAST_MATH);
    c->front = (struct front_options){
        .std = o->std,
        .unit = "nvrtc",
        .rdc = rtc_has(o, RTC_DC) || rtc_has(o, RTC_DLTO) || rtc_bool(o, RTC_RDC, false),
        .extended_lambda = true,
        .relaxed_constexpr = true,
        .device_debug = rtc_has(o, RTC_DEBUG),
        .dopt = rtc_has(o, RTC_DOPT),
        .lineinfo = rtc_has(o, RTC_LINEINFO),
        .fast_math = fast,
        .ftz = rtc_bool(o, RTC_FTZ, fast),
        .prec_div = rtc_bool(o, RTC_PREC_DIV, !fast),
        .prec_sqrt = rtc_bool(o, RTC_PREC_SQRT, !fast),
        .fmad = rtc_bool(o, RTC_FMAD, true),
    };
}

void input_make_base(struct compilation *c)
{
    const struct rtc_options *o = &c->options;
    struct texts *argv = &c->base;
    front_add_cuda(argv, &c->toolkit, &c->front);
    vec_push(argv, "-nostdlibinc");
    vec_push(argv, "-D__CUDACC_RTC__=1");
    if (rtc_has(o, RTC_INT128))
        vec_push(argv, "-D__CUDACC_RTC_INT128__=1");
    vec_push(argv, "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1");
    front_add_versions(argv, &c->toolkit);
    vec_push(argv, "-U__CUDA_ARCH_LIST__");
    vec_push(argv, arena_printf(&c->arena, "-D__CUDA_ARCH_LIST__=%u", o->target.sm * 10));
    if (rtc_has(o, RTC_EWP))
        vec_push(argv, "-D__CUDACC_EWP__=1");
    if (rtc_has(o, RTC_MINIMAL))
        vec_push(argv, "-D__CUDACC_RTC_MINIMAL__=1");
    if (!rtc_bool(o, RTC_MOVE_FORWARD, true))
        vec_push(argv, "-D__HEDDLE_RTC_NO_MOVE__=1");
    if (!rtc_bool(o, RTC_INITIALIZER_LIST, true))
        vec_push(argv, "-D__HEDDLE_RTC_NO_INITIALIZER_LIST__=1");
    front_add_modes(argv, &c->front);
    front_add_device(argv, &c->toolkit, &c->front, &o->target);
    log_add_arguments(argv, rtc_bool(o, RTC_BRIEF, false));
}

void input_add_user(struct compilation *c, struct texts *argv, bool includes)
{
    const struct rtc_options *o = &c->options;
    struct program *p = c->program;
    for (size_t i = 0; i < o->values[RTC_DEFINE].len; i++)
        vec_push(argv, arena_printf(&c->arena, "-D%s", o->values[RTC_DEFINE].data[i]));
    for (size_t i = 0; i < o->values[RTC_UNDEFINE].len; i++)
        vec_push(argv, arena_printf(&c->arena, "-U%s", o->values[RTC_UNDEFINE].data[i]));
    if (c->headers) {
        vec_push(argv, "-ivfsoverlay");
        vec_push(argv, c->overlay);
        vec_push(argv, "-I");
        vec_push(argv, c->headers);
    }
    if (!rtc_has(o, RTC_NO_SOURCE_INCLUDE)) {
        const char *slash = strrchr(p->name, '/');
        vec_push(argv, "-iquote");
        vec_push(argv, slash ? arena_strndup(&c->arena, p->name, (size_t)(slash - p->name) + 1) : ".");
    }
    front_add_folders(argv, &c->toolkit, &o->values[RTC_INCLUDE], "-I");
    front_add_headers(argv, &c->toolkit);
    for (size_t i = 0; includes && i < o->values[RTC_PRE_INCLUDE].len; i++) {
        vec_push(argv, "-include");
        vec_push(argv, o->values[RTC_PRE_INCLUDE].data[i]);
    }
    // CUDA's C++ libraries name their system headers by compiler, and this one has no name.
    static const char *const quiet[] = {"cuda/", "cub/", "thrust/", "nv/"};
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++)
        vec_push(argv, arena_printf(&c->arena, "--system-header-prefix=%s", quiet[i]));
    if (rtc_has(o, RTC_NO_WARNINGS))
        vec_push(argv, "-w");
    if (rtc_has(o, RTC_OPT_INFO))
        vec_push(argv, "-Rpass=inline");
}

bool input_write_source(struct compilation *c, const char *path, size_t skip)
{
    struct program *p = c->program;
    struct str s = {0};
    bool default_device = rtc_has(&c->options, RTC_DEFAULT_DEVICE);
    size_t line = 1;
    for (size_t i = 0; i < skip; i++)
        line += p->source[i] == '\n';
    if (default_device)
        str_append(&s, "#pragma clang force_cuda_host_device begin\n");
    append_line_name(&s, line, p->name);
    str_append(&s, p->source + skip);
    str_append(&s, "\n");
    if (default_device)
        str_append(&s, "#pragma clang force_cuda_host_device end\n");
    names_write(&s, p);
    bool ok = input_write(c, path, s.data, s.len);
    str_free(&s);
    return ok;
}
