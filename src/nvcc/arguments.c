// SPDX-License-Identifier: Apache-2.0
// What the passes over a source are told: the options of the driver as arguments of clang and of the host compiler.
#include "nvcc/driver.h"
#include "base/hash.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Names that the system's headers and CUDA's ask for.
bool arguments_is_reserved(const char *macro)
{
    static const char *const starts[] = {"_", "CUDA", "HEDDLE", "NDEBUG", "PSTL"};
    return str_begins_any(macro, starts, sizeof starts / sizeof starts[0]);
}

// A precompiled header is made with macros that may change its meaning, and without the others.
static void add_macros(struct driver *d, struct job *j, enum option_id id, const char *prefix)
{
    const struct texts *t = &d->options.values[id];
    for (size_t i = 0; i < t->len; i++)
        if (!j->precompile || arguments_is_reserved(t->data[i]))
            job_add(j, arena_printf(&d->arena, "%s%s", prefix, t->data[i]));
}

void arguments_add_includes(struct driver *d, struct job *j)
{
    const struct texts *t = &d->options.values[OPTION_PRE_INCLUDE];
    for (size_t i = 0; i < t->len; i++) {
        job_add(j, "-include");
        job_add(j, t->data[i]);
    }
}

// ---- messages
// Numbers of messages of CUDA's own front end, with the names that the same messages have here.
static const struct {
    unsigned number;
    const char *name;
} messages[] = {
    {68, "sign-conversion"},
    {111, "unreachable-code"},
    {128, "unreachable-code"},
    {161, "unknown-pragmas"},
    {174, "unused-value"},
    {177, "unused-variable"},
    {177, "unused-function"},
    {177, "unused-const-variable"},
    {186, "tautological-unsigned-zero-compare"},
    {549, "uninitialized"},
    {550, "unused-but-set-variable"},
    {611, "overloaded-virtual"},
    {815, "ignored-qualifiers"},
    {940, "return-type"},
    {997, "overloaded-virtual"},
    {1215, "deprecated-declarations"},
    {1444, "deprecated-declarations"},
    {1675, "unknown-pragmas"},
};

// prefix: "-Wno-", "-W" or "-Werror=".
static void add_messages(struct driver *d, struct job *j, const struct texts *numbers, const char *prefix)
{
    for (size_t i = 0; i < numbers->len; i++)
        for (size_t k = 0; k < sizeof messages / sizeof messages[0]; k++)
            if (strtoul(numbers->data[i], NULL, 10) == messages[k].number)
                job_add(j, arena_printf(&d->arena, "%s%s", prefix, messages[k].name));
}

// -Xcudafe --diag_suppress=177: the same, in the words of the tool.
static void add_tool_messages(struct driver *d, struct job *j)
{
    static const struct {
        const char *word, *prefix;
    } words[] = {{"--diag_suppress", "-Wno-"}, {"--diag_warning", "-W"}, {"--diag_error", "-Werror="}};
    const struct texts *t = &d->options.values[OPTION_XCUDAFE];
    for (size_t i = 0; i < t->len; i++)
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            size_t n = strlen(words[k].word);
            if (strncmp(t->data[i], words[k].word, n) || (t->data[i][n] != '=' && t->data[i][n]))
                continue;
            const char *number = t->data[i][n] ? t->data[i] + n + 1 : i + 1 < t->len ? t->data[i + 1] : "";
            struct texts one = {.data = &number, .len = 1};
            add_messages(d, j, &one, words[k].prefix);
        }
}

void arguments_add_warnings(struct driver *d, struct job *j)
{
    const struct options *o = &d->options;
    if (options_has(o, OPTION_NO_WARNINGS))
        job_add(j, "-w");
    if (options_has(o, OPTION_NO_WARN_DEPRECATED))
        job_add(j, "-Wno-deprecated-declarations");
    if (options_has(o, OPTION_WARN_REORDER))
        job_add(j, "-Wreorder");
    if (options_lists(o, OPTION_WERROR, "all-warnings"))
        job_add(j, "-Werror");
    if (options_lists(o, OPTION_WERROR, "reorder"))
        job_add(j, "-Werror=reorder");
    if (options_lists(o, OPTION_WERROR, "deprecated-declarations"))
        job_add(j, "-Werror=deprecated-declarations");
    if (options_bool(o, OPTION_BRIEF, false)) {
        job_add(j, "-fno-caret-diagnostics");
        job_add(j, "-fno-show-column");
    }
    if (isatty(2))
        job_add(j, "-fdiagnostics-color");
}

static void add_numbered_messages(struct driver *d, struct job *j)
{
    const struct options *o = &d->options;
    job_add(j, "-Wno-unknown-pragmas"); // those of CUDA's own front end
    add_messages(d, j, &o->values[OPTION_DIAG_SUPPRESS], "-Wno-");
    add_messages(d, j, &o->values[OPTION_DIAG_WARN], "-W");
    add_messages(d, j, &o->values[OPTION_DIAG_ERROR], "-Werror=");
    add_tool_messages(d, j);
}

// ---- the preprocessor
// What -Xcompiler says to the host compiler's preprocessor, which CUDA's own driver runs for both sides.
static void add_host_words(struct driver *d, struct job *j)
{
    const struct texts *t = &d->options.values[OPTION_XCOMPILER];
    for (size_t i = 0; i < t->len; i++) {
        const char *w = t->data[i];
        bool pair = !strcmp(w, "-include") || !strcmp(w, "-isystem");
        if (!pair && strncmp(w, "-D", 2) && strncmp(w, "-U", 2) && strncmp(w, "-I", 2))
            continue;
        job_add(j, w);
        if ((pair || !w[2]) && i + 1 < t->len)
            job_add(j, t->data[++i]);
    }
}

void arguments_add_preprocessor(struct driver *d, struct job *j)
{
    add_macros(d, j, OPTION_DEFINE, "-D");
    add_macros(d, j, OPTION_UNDEFINE, "-U");
    if (!j->precompile) {
        front_add_folders(&j->argv, &d->toolkit, &d->options.values[OPTION_INCLUDE_DIR], "-I");
        front_add_folders(&j->argv, &d->toolkit, &d->options.values[OPTION_SYSTEM_DIR], "-isystem");
    }
    front_add_headers(&j->argv, &d->toolkit);
    openmp_add_preprocessor(d, j);
    job_add(j, "-D__NVCC__");
    job_add(j, "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1");
    job_add(j, "-D__CUDACC_DEVICE_ATOMIC_BUILTINS__=1");
    front_add_versions(&j->argv, &d->toolkit);
}

void arguments_add_arch_list(struct driver *d, struct job *j)
{
    struct str list = {0};
    unsigned last = 0;
    job_add(j, "-U__CUDA_ARCH_LIST__"); // newer front ends have one of their own
    for (size_t i = 0; i < d->targets.len; i++) {
        unsigned sm = d->targets.data[i].sm;
        if (sm != last)
            str_printf(&list, "%s%u", i ? "," : "-D__CUDA_ARCH_LIST__=", sm * 10);
        last = sm;
    }
    job_add(j, arena_strdup(&d->arena, str_text(&list)));
    str_free(&list);
}

// ---- CUDA sources
// The same name for both passes of a source, different for each source and set of options: it makes names of internal
// variables unique.
static const char *unit_id(struct driver *d, const char *source)
{
    struct hash128 h;
    char real[PATH_MAX], hex[33];
    const char *seed = options_value(&d->options, OPTION_SEED);
    hash128_init(&h);
    hash128_add_text(&h, seed ? seed : realpath(source, real) ? real : source);
    for (int i = 0; i < OPTION_COUNT && !seed; i++)
        for (size_t k = 0; k < d->options.values[i].len; k++)
            if (i == OPTION_DEFINE || i == OPTION_INCLUDE_DIR || i == OPTION_OUTPUT)
                hash128_add_text(&h, d->options.values[i].data[k]);
    hash128_hex(&h, hex);
    return arena_printf(&d->arena, "%.16s", hex);
}

struct front_options arguments_front_options(struct driver *d, const char *source)
{
    const struct options *o = &d->options;
    const char *std = options_value(o, OPTION_STD), *stream = options_value(o, OPTION_DEFAULT_STREAM);
    const char *quick = options_value(o, OPTION_FAST_COMPILE);
    bool fast = options_has(o, OPTION_FAST_MATH);
    return (struct front_options){
        .std = std ? std : "gnu++17",
        .unit = unit_id(d, source),
        .rdc = d->rdc,
        .ewp = options_has(o, OPTION_EWP),
        .extended_lambda = options_has(o, OPTION_EXTENDED_LAMBDA) || options_has(o, OPTION_EXPT_LAMBDA),
        .relaxed_constexpr = options_has(o, OPTION_RELAXED_CONSTEXPR),
        .per_thread_stream = stream && !strcmp(stream, "per-thread"),
        .device_debug = options_has(o, OPTION_DEVICE_DEBUG),
        .dopt = options_has(o, OPTION_DOPT),
        .lineinfo = options_has(o, OPTION_LINEINFO),
        .fast_math = fast,
        .ftz = options_bool(o, OPTION_FTZ, fast),
        .prec_div = options_bool(o, OPTION_PREC_DIV, !fast),
        .prec_sqrt = options_bool(o, OPTION_PREC_SQRT, !fast),
        .fmad = options_bool(o, OPTION_FMAD, true),
        .level = !quick || !strcmp(quick, "0") ? 3
                 : !strcmp(quick, "min")       ? 2
                                               : 1,
    };
}

// The C and C++ library of the host compiler that was named, so that objects of both compilers fit. Empty: clang's
// choice.
static const char *host_library_dir(struct driver *d)
{
    if (d->host_library_dir)
        return d->host_library_dir;
    d->host_library_dir = "";
    const char *base = strrchr(d->host_cc, '/');
    if (!d->host_cc_given || strstr(base ? base : d->host_cc, "clang") || job_dryrun())
        return "";
    struct job j = {.output = job_temp(&d->arena, "host", ".library")};
    job_add(&j, d->host_cc);
    job_add(&j, "-print-libgcc-file-name");
    bool ok = job_finish(&j);
    char line[PATH_MAX] = "";
    FILE *f = ok ? fopen(j.output, "r") : NULL;
    char *slash = f && fgets(line, sizeof line, f) ? strrchr(line, '/') : NULL;
    if (f)
        fclose(f);
    if (slash) {
        *slash = 0;
        d->host_library_dir = arena_strdup(&d->arena, line);
    }
    return d->host_library_dir;
}

void arguments_add_cuda(struct driver *d, struct job *j, const char *source)
{
    const struct options *o = &d->options;
    struct front_options front = arguments_front_options(d, source);
    const char *depth = options_value(o, OPTION_TEMPLATE_DEPTH), *notes = options_value(o, OPTION_TEMPLATE_NOTES);
    if (j->precompile)
        front.unit = "precompiled";
    front_add_cuda(&j->argv, &d->toolkit, &front);
    if (*host_library_dir(d))
        job_add(j, arena_printf(&d->arena, "--gcc-install-dir=%s", host_library_dir(d)));
    dialect_add(d, j, source);
    arguments_add_preprocessor(d, j);
    arguments_add_arch_list(d, j);
    if (j->pch) {
        front_add_inner(&j->argv, "-include-pch");
        front_add_inner(&j->argv, j->pch);
    } else if (!j->precompile) {
        job_add(j, "-include");
        job_add(j, "cuda_runtime.h");
    }
    if (!j->precompile) {
        arguments_add_includes(d, j);
        arguments_add_warnings(d, j);
        add_numbered_messages(d, j);
    }
    front_add_modes(&j->argv, &front);
    if (depth)
        job_add(j, arena_printf(&d->arena, "-ftemplate-depth=%s", depth));
    if (notes)
        job_add(j, arena_printf(&d->arena, "-ftemplate-backtrace-limit=%s", notes));
}

void arguments_add_device(struct driver *d, struct job *j, const char *source, const struct target *t)
{
    const struct options *o = &d->options;
    struct front_options front = arguments_front_options(d, source);
    const char *trace = options_value(o, OPTION_TIME_TRACE), *output = options_value(o, OPTION_OUTPUT);
    arguments_add_cuda(d, j, source);
    openmp_add_device(d, j);
    add_host_words(d, j);
    front_add_device(&j->argv, &d->toolkit, &front, t);
    if (j->precompile)
        return;
    if (options_has(o, OPTION_SYNTAX_ONLY))
        job_add(j, "-fsyntax-only");
    if (options_has(o, OPTION_OPT_INFO))
        job_add(j, "-Rpass=inline");
    if (trace) {
        if (!strcmp(trace, "-"))
            trace = output ? arena_printf(&d->arena, "%s.json", output) : "trace.json";
        front_add_inner(&j->argv, arena_printf(&d->arena, "-ftime-trace=%s", trace));
        front_add_inner(&j->argv, "-ftime-trace-granularity=500");
    }
}

// ---- the host side
void arguments_add_host(struct driver *d, struct job *j)
{
    const struct options *o = &d->options;
    const char *level = options_value(o, OPTION_OPTIMIZE), *seed = options_value(o, OPTION_SEED);
    bool debug = options_has(o, OPTION_DEBUG) || options_has(o, OPTION_DEVICE_DEBUG);
    job_add(j, arena_printf(&d->arena, "-O%s", level ? level : options_has(o, OPTION_DEVICE_DEBUG) ? "0" : "2"));
    job_add(j, "-fwrapv");               // checks of results are often computed with integers that overflow
    if (debug && d->phase != PHASE_TEXT) // there, the host compiler has lines of its own
        job_add(j, "-g");
    if (options_has(o, OPTION_PROFILE))
        job_add(j, "-pg");
    if (options_has(o, OPTION_SHARED))
        job_add(j, "-fPIC");
    if (options_has(o, OPTION_NO_EXCEPTIONS))
        job_add(j, "-fno-exceptions");
    if (seed && !j->precompile)
        job_add(j, arena_printf(&d->arena, "-frandom-seed=%s", seed));
    openmp_add_host(d, j, false);
    if (options_has(o, OPTION_FORWARD) || options_has(o, OPTION_FORWARD_ALL))
        job_add_all(j, &o->unknown);
}

void arguments_add_place(struct driver *d, struct job *j)
{
    job_add(j, arena_printf(&d->arena, "-D__HEDDLE_SDK_LIB__=\"%s\"", d->toolkit.lib));
}

// ---- makefile rules
const char *arguments_dependency_file(struct driver *d, const char *source)
{
    const struct options *o = &d->options;
    const char *given = options_value(o, OPTION_DEPS_FILE), *final = options_value(o, OPTION_OUTPUT);
    if (given || d->phase == PHASE_DEPS ||
        (!options_has(o, OPTION_DEPS_ALSO) && !options_has(o, OPTION_DEPS_USER_ALSO)))
        return given;
    const char *dot = final ? strrchr(final, '.') : NULL, *slash = final ? strrchr(final, '/') : NULL;
    if (final && dot && (!slash || dot > slash))
        return arena_printf(&d->arena, "%.*s.d", (int)(dot - final), final);
    const char *dir = options_value(o, OPTION_OUTPUT_DIR);
    return final ? arena_printf(&d->arena, "%s.d", final)
                 : arena_printf(&d->arena, "%s%s%s.d", dir ? dir : "", dir ? "/" : "", driver_stem(d, source));
}

// What the rule is for, when nobody names it.
static const char *dependency_target(struct driver *d, const char *source)
{
    const char *final = options_value(&d->options, OPTION_OUTPUT), *dir = options_value(&d->options, OPTION_OUTPUT_DIR);
    if (final && d->phase != PHASE_DEPS)
        return final;
    return arena_printf(&d->arena, "%s%s%s.o", dir ? dir : "", dir ? "/" : "", driver_stem(d, source));
}

void arguments_add_dependencies(struct driver *d, struct job *j, const char *source)
{
    const struct options *o = &d->options;
    bool only = d->phase == PHASE_DEPS;
    if (!only && !options_has(o, OPTION_DEPS_ALSO) && !options_has(o, OPTION_DEPS_USER_ALSO))
        return;
    const char *file = d->rule, *target = options_value(o, OPTION_DEPS_TARGET);
    if (only)
        job_add(j, options_has(o, OPTION_DEPS_USER) ? "-MM" : "-M");
    else
        job_add(j, options_has(o, OPTION_DEPS_ALSO) ? "-MD" : "-MMD");
    if (file) {
        job_add(j, "-MF");
        job_add(j, file);
    }
    job_add(j, "-MT");
    job_add(j, target ? target : dependency_target(d, source));
    if (options_has(o, OPTION_DEPS_PHONY))
        job_add(j, "-MP");
}
