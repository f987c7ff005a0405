// SPDX-License-Identifier: Apache-2.0
// One compilation: the source becomes a file, its headers an overlay of the file system, and clang makes PTX of it.
//
//  1. CUDA's own declarations are a precompiled header, made once for each set of options and kept in the disk cache,
//     so that a small kernel costs some 50 ms; it also keeps them apart from headers of the program with common names.
//  2. Headers in memory appear under a virtual folder whose name holds a hash of them all, with a fixed time: so
//     precompiled headers of the user's stay valid between processes.
//  3. A #line at the top gives the source the program's name, in messages, in __FILE__ and in line information.
//  4. Name expressions are variables behind the source (names.h).
//  5. Results are kept on disk (store.h) under a key of everything that was handed in.
#include "base/os.h"
#include "fatbin/fatbin_write.h"
#include "front/ptx/assemble.h"
#include "front/pch.h"
#include "front/process.h"
#include "nvrtc/input.h"
#include "nvrtc/log.h"
#include "nvrtc/names.h"
#include "nvrtc/pch.h"
#include "nvrtc/store.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool temp_make(struct compilation *c)
{
    if (os_temp_dir(c->dir, sizeof c->dir, os_temp_base(), "nvrtc"))
        return true;
    str_printf(&c->program->log, "nvrtc: error: no temporary folder in '%s': %s\n", os_temp_base(), strerror(errno));
    return false;
}

static void temp_remove(struct compilation *c)
{
    if (c->dir[0])
        os_folder_remove(c->dir);
}

static void key_make(struct compilation *c, int count, const char *const *options)
{
    struct program *p = c->program;
    char cwd[PATH_MAX];
    hash128_init(&c->key);
    hash128_add_text(&c->key, "nvrtc 1");
    hash128_add_text(&c->key, store_toolkit_id());
    hash128_add_text(&c->key, getcwd(cwd, sizeof cwd) ? cwd : "");
    hash128_add_text(&c->key, p->name);
    hash128_add_text(&c->key, p->source);
    const struct texts *lists[] = {&p->headers, &p->header_names, &p->expressions};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < lists[k]->len; i++) {
            hash128_add(&c->key, &k, sizeof k);
            hash128_add_text(&c->key, lists[k]->data[i]);
        }
    for (int i = 0; i < count; i++)
        hash128_add_text(&c->key, options[i]);
}

static bool own_pch(const struct compilation *c)
{
    return rtc_has(&c->options, RTC_PCH) || rtc_has(&c->options, RTC_PCH_CREATE) || rtc_has(&c->options, RTC_PCH_USE);
}

// Whether the disk's results may stand for a compilation: not where it has other effects.
static bool storable(const struct compilation *c)
{
    static const enum rtc_option effects[] = {RTC_NO_CACHE,   RTC_TIME,    RTC_TIME_TRACE, RTC_PCH,
                                              RTC_PCH_CREATE, RTC_PCH_USE, RTC_SYNTAX_ONLY};
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++)
        if (rtc_has(&c->options, effects[i]))
            return false;
    return true;
}

static const char *prelude(struct compilation *c)
{
    return arena_printf(&c->arena, "%s/heddle/rtc/prelude.h", c->toolkit.include);
}

// What stands for the C and C++ library while CUDA's declarations are read. Sources do not see it: a program that hands
// in headers of its own learns from the message which one is missing.
static void add_library_headers(struct compilation *c, struct texts *argv)
{
    vec_push(argv, "-isystem");
    vec_push(argv, arena_printf(&c->arena, "%s/heddle/rtc", c->toolkit.include));
}

static nvrtcResult run(struct compilation *c, const struct texts *argv, const char *messages, const char *output,
                       struct str *log)
{
    struct program *p = c->program;
    int status = process_run(argv, messages, p->flow, p->flow_payload);
    if (status == PROCESS_CANCELLED)
        return NVRTC_ERROR_CANCELLED;
    if (status == PROCESS_NOT_STARTED) {
        if (errno == ENOMEM)
            return NVRTC_ERROR_OUT_OF_MEMORY;
        str_printf(log, "nvrtc: error: '%s' cannot be run: %s\n", argv->data[0], strerror(errno));
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    char *text = os_file_read(messages, NULL);
    if (text)
        log_translate(log, text, p->name, c->headers ? arena_printf(&c->arena, "%s/", c->headers) : NULL,
                      &p->header_names);
    if (text && status)
        names_explain(log, p, text);
    free(text);
    if (status == PROCESS_UNKNOWN)
        status = output && access(output, R_OK) ? 1 : 0;
    if (status > 1)
        str_printf(log, "nvrtc: error: the compiler ended with status %d\n", status);
    return status == 0 ? NVRTC_SUCCESS : status == 1 ? NVRTC_ERROR_COMPILATION : NVRTC_ERROR_INTERNAL_ERROR;
}

// CUDA's declarations, precompiled for these options. The text is the arena's.
static nvrtcResult prelude_make(struct compilation *c, const char **pch)
{
    struct hash128 h;
    hash128_init(&h);
    hash128_add_text(&h, store_toolkit_id());
    for (size_t i = 0; i < c->base.len; i++)
        hash128_add_text(&h, c->base.data[i]);
    *pch = front_pch_path(&c->arena, &h);
    if (*pch && os_file_is_private(*pch))
        return NVRTC_SUCCESS;
    const char *made = input_temp(c, "prelude.pch");
    struct texts argv = {0};
    for (size_t i = 0; i < c->base.len; i++)
        vec_push(&argv, c->base.data[i]);
    front_add_headers(&argv, &c->toolkit);
    add_library_headers(c, &argv);
    static const char *const rest[] = {
        "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp", "-fpch-instantiate-templates", "-o"};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        vec_push(&argv, rest[i]);
    // Moved into the cache when it is whole; a folder of another file system keeps its own copy.
    const char *near = *pch ? arena_printf(&c->arena, "%s.%ld.%p", *pch, (long)getpid(), (void *)c) : made;
    vec_push(&argv, near);
    vec_push(&argv, prelude(c));
    nvrtcResult r = run(c, &argv, input_temp(c, "prelude.log"), near, &c->program->log);
    vec_free(&argv);
    if (r == NVRTC_SUCCESS && *pch && rename(near, *pch))
        *pch = near;
    else if (r == NVRTC_SUCCESS && !*pch)
        *pch = near;
    if (r != NVRTC_SUCCESS && near != made)
        unlink(near);
    front_pch_trim();
    return r == NVRTC_ERROR_COMPILATION ? NVRTC_ERROR_INTERNAL_ERROR : r;
}

// What -dlto gives is the same: a fat binary with PTX, which nvJitLink takes for an input of the optimisation at link time.
static void image_make(struct compilation *c)
{
    struct program *p = c->program;
    const bool lto = rtc_has(&c->options, RTC_DLTO);
    if ((!c->options.real_target && !lto) || !p->ptx.len)
        return;
    if (front_usage_wanted(&c->options.values[RTC_PTXAS]))
        front_usage(&p->log, p->ptx.data, p->ptx.len, &c->options.target);
    struct fatbin_item item = {.ptx = p->ptx.data,
                               .size = p->ptx.len,
                               .sm = c->options.target.sm,
                               .name = p->name,
                               .debug = c->front.device_debug};
    fatbin_write(lto ? &p->lto : &p->image, &item, 1);
    if (lto)
        str_free(&p->ptx);
}

static void text_replace(struct str *s, char *text, size_t size)
{
    str_free(s);
    str_append_n(s, text, size);
    free(text);
}

// What the options and the words of CUDA ask for that clang does not write.
static void ptx_mend(struct compilation *c)
{
    const char *limit = rtc_value(&c->options, RTC_MAXRREG);
    unsigned long n = limit ? strtoul(limit, NULL, 10) : 0;
    struct str *ptx = &c->program->ptx;
    if (!ptx->len)
        return;
    size_t size;
    char *text = front_ptx_mend(ptx->data, &size);
    text_replace(ptx, text, size);
    if (!c->front.rdc) {
        text = front_ptx_close_variables(ptx->data, &size);
        text_replace(ptx, text, size);
    }
    if (n) {
        text = front_ptx_limit_registers(ptx->data, n, &size);
        text_replace(ptx, text, size);
    }
}

// The sizes of clusters that kernels name, by the pass once more (front/ir/cluster.c). Frees the text; NULL: it failed.
static char *clusters_add(struct compilation *c, struct texts *argv, char *text)
{
    const char *path = input_temp(c, "out.ll");
    struct str log = {0}; // the messages have been written
    size_t size;
    front_add_annotations(argv);
    vec_push(argv, "-o");
    vec_push(argv, path);
    char *ir = run(c, argv, input_temp(c, "cluster.log"), path, &log) ? NULL : os_file_read(path, NULL);
    char *out = ir ? front_ptx_clusters(text, ir, &size) : NULL;
    str_free(&log);
    free(ir);
    free(text);
    return out;
}

// Static variables that the host may write (front/ir/statics.c) and carries between asm statements (front/ir/carry.c): the
// pass once more, and its module compiled. Frees the text; NULL: it failed.
static char *module_change(struct compilation *c, const struct texts *argv, const struct texts *names, char *text)
{
    const char *path = input_temp(c, "module.ll"), *ptx = input_temp(c, "module.ptx"),
               *messages = input_temp(c, "module.log");
    struct texts first = {0}, second = {0};
    struct str log = {0}; // the messages have been written
    size_t size;
    for (size_t i = 0; i < argv->len; i++)
        vec_push(&first, argv->data[i]);
    front_add_annotations(&first);
    vec_push(&first, "-o");
    vec_push(&first, path);
    bool ok = run(c, &first, messages, path, &log) == NVRTC_SUCCESS;
    char *ir = ok ? os_file_read(path, NULL) : NULL, *changed = ir ? front_ir_change(ir, names, &size) : NULL;
    if (changed) {
        front_add_module(&second, &c->toolkit, &c->front, &c->options.target);
        vec_push(&second, path);
        vec_push(&second, "-o");
        vec_push(&second, ptx);
        ok = input_write(c, path, changed, size) && run(c, &second, messages, ptx, &log) == NVRTC_SUCCESS;
        free(text);
        char *whole = ok ? os_file_read(ptx, NULL) : NULL;
        text = whole ? front_ptx_close_statics(whole, names, NULL, &size) : NULL;
        free(whole);
    }
    if (text && !c->front.rdc) {
        char *plain = front_ptx_plain_statics(text, names, &size);
        free(text);
        text = plain;
    }
    vec_free(&first);
    vec_free(&second);
    str_free(&log);
    free(ir);
    free(changed);
    return text;
}

static char *module_apply(struct compilation *c, const struct texts *argv, char *text)
{
    struct program *p = c->program;
    struct texts names = {0};
    char *rule = os_file_read(input_temp(c, "out.d"), NULL);
    front_statics_find(&names, &c->arena, p->source);
    for (size_t i = 0; i < p->headers.len; i++)
        front_statics_find(&names, &c->arena, p->headers.data[i]);
    if (rule)
        front_statics_read(&names, &c->toolkit, rule);
    if (names.len || front_ptx_has_carries(text))
        text = module_change(c, argv, &names, text);
    vec_free(&names);
    free(rule);
    return text;
}

// The main pass. pch: what it builds on; skip: so much of the source is in it.
static nvrtcResult pass_run(struct compilation *c, const char *pch, size_t skip, struct str *log)
{
    const struct rtc_options *o = &c->options;
    const char *source = input_temp(c, "source.cu"), *ptx = input_temp(c, "out.ptx"),
               *trace = rtc_value(o, RTC_TIME_TRACE);
    bool syntax = rtc_has(o, RTC_SYNTAX_ONLY);
    if (!input_write_source(c, source, skip))
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    struct texts argv = {0};
    for (size_t i = 0; i < c->base.len; i++)
        vec_push(&argv, c->base.data[i]);
    front_add_inner(&argv, "-include-pch");
    front_add_inner(&argv, pch);
    input_add_user(c, &argv, !skip);
    if (syntax)
        vec_push(&argv, "-fsyntax-only");
    if (trace) {
        front_add_inner(&argv, arena_printf(&c->arena, "-ftime-trace=%s", trace));
        front_add_inner(&argv, "-ftime-trace-granularity=500");
    }
    vec_push(&argv, "-MD");
    vec_push(&argv, "-MF");
    vec_push(&argv, input_temp(c, "out.d"));
    vec_push(&argv, "-MT");
    vec_push(&argv, "out");
    vec_push(&argv, "-o");
    vec_push(&argv, ptx);
    vec_push(&argv, source);
    nvrtcResult r = run(c, &argv, input_temp(c, "out.log"), syntax ? NULL : ptx, log);
    char *text = r || syntax ? NULL : os_file_read(ptx, NULL);
    if (text)
        text = module_apply(c, &argv, text);
    if (text && front_ptx_has_annotations(text))
        text = clusters_add(c, &argv, text);
    vec_free(&argv);
    if (r || syntax)
        return r;
    if (!text) {
        str_printf(log, "nvrtc: error: the compiler's output cannot be read: %s\n", strerror(errno));
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
    r = names_take(c->program, text) ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
    free(text);
    return r;
}

static nvrtcResult time_write(struct compilation *c)
{
    const char *file = rtc_value(&c->options, RTC_TIME), *trace = rtc_value(&c->options, RTC_TIME_TRACE);
    if (trace && access(trace, R_OK))
        return NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED;
    if (!file)
        return NVRTC_SUCCESS;
    struct str s = {0};
    str_printf(&s, "\nFile name, phase name, metric, unit\n%s, CUDA C++ Frontend, %llu, ms\n", c->program->name,
               (unsigned long long)((os_time_ns() - c->began) / 1000000));
    bool ok = true;
    if (!strcmp(file, "-"))
        str_append(&c->program->log, s.data);
    else
        ok = os_file_write(file, s.data, s.len);
    str_free(&s);
    return ok ? NVRTC_SUCCESS : NVRTC_ERROR_TIME_FILE_WRITE_FAILED;
}

// The user's own precompiled header, by --pch, --create-pch or --use-pch: NULL where there is none to use.
static const char *user_pch(struct compilation *c, size_t skip, nvrtcResult *r)
{
    const struct rtc_options *o = &c->options;
    const char *create = rtc_value(o, RTC_PCH_CREATE), *use = rtc_value(o, RTC_PCH_USE),
               *dir = rtc_value(o, RTC_PCH_DIR);
    struct program *p = c->program;
    struct texts argv = {0};
    const char *file = create ? create : use;
    if (file && dir && *file != '/')
        file = arena_printf(&c->arena, "%s/%s", dir, file);
    for (size_t i = 0; i < c->base.len; i++)
        vec_push(&argv, c->base.data[i]);
    input_add_user(c, &argv, false);
    add_library_headers(c, &argv); // CUDA's declarations are a part of it
    if (!file && rtc_has(o, RTC_PCH)) {
        struct hash128 h;
        char hex[33];
        hash128_init(&h);
        hash128_add_text(&h, store_toolkit_id());
        hash128_add(&h, p->source, skip);
        for (size_t i = 0; i < argv.len; i++)
            if (argv.data[i] != c->overlay) // a temporary file
                hash128_add_text(&h, argv.data[i]);
        hash128_hex(&h, hex);
        file = dir ? arena_printf(&c->arena, "%s/%s.pch", dir, hex) : front_pch_path(&c->arena, &h);
        if (file && os_file_is_private(file))
            use = file;
        else
            create = file;
        if (!file)
            p->pch_status = NVRTC_ERROR_PCH_CREATE;
    }
    bool talk = rtc_bool(o, RTC_PCH_MESSAGES, true);
    if (create) {
        const char *made = input_temp(c, "prefix.pch");
        struct str log = {0};
        // Included into the prelude, which is always there: clang asks for the main file of what it precompiled.
        vec_push(&argv, "-include");
        vec_push(&argv, arena_printf(&c->arena, "%s/" PREFIX_FILE, c->headers));
        front_add_inner(&argv, "-emit-pch");
        vec_push(&argv, "-o");
        vec_push(&argv, made);
        vec_push(&argv, prelude(c));
        size_t size = 0;
        char *bytes = NULL;
        *r = run(c, &argv, input_temp(c, "prefix.log"), made, &log);
        if (*r == NVRTC_SUCCESS)
            bytes = os_file_read(made, &size);
        bool ok = bytes && os_file_write(file, bytes, size);
        p->pch_status = ok ? NVRTC_SUCCESS : NVRTC_ERROR_PCH_CREATE;
        if (talk && ok)
            str_printf(&p->log, "\"%s\": creating precompiled header file \"%s\"\n", p->name, file);
        if (*r != NVRTC_ERROR_CANCELLED)
            *r = NVRTC_SUCCESS; // without it the program compiles as well, or says what is wrong
        free(bytes);
        str_free(&log);
        file = ok ? file : NULL;
    } else if (use && access(file, R_OK)) {
        str_printf(&p->log, "\"%s\": error: cannot open precompiled header file \"%s\"\n", p->name, file);
        *r = NVRTC_ERROR_COMPILATION;
    } else if (use && talk) {
        str_printf(&p->log, "\"%s\": using precompiled header file \"%s\"\n", p->name, file);
    }
    vec_free(&argv);
    return file;
}

static nvrtcResult compile(struct compilation *c)
{
    struct program *p = c->program;
    nvrtcResult r = NVRTC_SUCCESS;
    const char *pch = NULL;
    size_t skip = own_pch(c) ? pch_prefix(p->source) : 0;
    if (skip)
        pch = user_pch(c, skip, &r);
    if (r == NVRTC_SUCCESS && pch) {
        struct str log = {0};
        r = pass_run(c, pch, skip, &log);
        if (r == NVRTC_ERROR_COMPILATION && front_pch_is_stale(str_text(&log))) {
            str_printf(&p->log, "\"%s\": precompiled header file \"%s\" was not usable\n", p->name, pch);
            pch = NULL;
            r = NVRTC_SUCCESS;
        } else {
            str_append(&p->log, str_text(&log));
        }
        str_free(&log);
    }
    if (r != NVRTC_SUCCESS || pch)
        return r;
    r = prelude_make(c, &pch);
    return r ? r : pass_run(c, pch, 0, &p->log);
}

static void results_finish(struct compilation *c)
{
    ptx_mend(c);
    image_make(c);
    c->program->compiled = true;
}

static void results_keep(struct compilation *c)
{
    char *rule = os_file_read(input_temp(c, "out.d"), NULL);
    const char *skip[] = {arena_printf(&c->arena, "%s/", c->dir),
                          arena_printf(&c->arena, "%s/", c->toolkit.include),
                          VIRTUAL_ROOT "/",
                          "/dev/",
                          NULL,
                          NULL};
    if (rule) {
        // The precompiled header is covered by the key.
        struct hash128 none = {0};
        const char *pch = front_pch_path(&c->arena, &none);
        if (pch)
            skip[4] = arena_strndup(&c->arena, pch, (size_t)(strrchr(pch, '/') - pch) + 1);
        store_put(&c->key, c->program, rule, skip);
    }
    free(rule);
}

// What becomes an image is checked as ptxas does.
static bool machine_check(struct program *p)
{
    struct diag d;
    diag_init(&d, "ptxas");
    bool ok = !p->ptx.len || front_shared_check(p->ptx.data, p->ptx.len, &d);
    str_append(&p->log, str_text(&d.text));
    diag_fini(&d);
    return ok;
}

nvrtcResult program_compile(struct program *p, int count, const char *const *options)
{
    struct compilation c = {.program = p, .began = os_time_ns()};
    nvrtcResult r;
    program_clear(p);
    arena_init(&c.arena);
    if (p->flow && p->flow(p->flow_payload, NULL) == 1) {
        r = NVRTC_ERROR_CANCELLED;
    } else if (!rtc_options_read(&c.options, &c.arena, count, options, &p->log)) {
        r = NVRTC_ERROR_INVALID_OPTION;
    } else if (!store_toolkit(&c.toolkit, &c.arena, &p->log)) {
        r = NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    } else {
        input_read_options(&c);
        key_make(&c, count, options);
        bool keep = storable(&c);
        if (keep && store_get(&c.key, p)) {
            r = NVRTC_SUCCESS;
        } else {
            input_make_base(&c);
            r = NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
            if (temp_make(&c) && input_write_headers(&c, own_pch(&c) ? pch_prefix(p->source) : 0))
                r = compile(&c);
            if (r == NVRTC_SUCCESS && c.options.real_target && !machine_check(p))
                r = NVRTC_ERROR_COMPILATION;
            if (r == NVRTC_SUCCESS && keep)
                results_keep(&c);
            if (r == NVRTC_SUCCESS)
                r = time_write(&c);
        }
        if (r == NVRTC_SUCCESS)
            results_finish(&c);
    }
    if (r == NVRTC_ERROR_CANCELLED)
        program_clear(p);
    if (r != NVRTC_SUCCESS)
        str_free(&p->ptx);
    temp_remove(&c);
    vec_free(&c.base);
    rtc_options_fini(&c.options);
    arena_fini(&c.arena);
    return r;
}
