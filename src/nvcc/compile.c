// One source through the compiler. A CUDA source takes a device pass for each target, whose PTX goes into a fat binary,
// and a host pass that embeds it. The host pass runs beside the device passes: it is given a named pipe as its fat
// binary, which it reads only when it has parsed the whole source, so it waits there until the PTX is done.
#include "nvcc/driver.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/str.h"
#include "fatbin/fatbin_write.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_each(struct driver *d, struct job *j, enum option_id id, const char *prefix)
{
    const struct texts *t = &d->options.values[id];
    for (size_t i = 0; i < t->len; i++)
        job_add(j, arena_printf(&d->arena, "%s%s", prefix, t->data[i]));
}

static void add_each_pair(struct driver *d, struct job *j, enum option_id id, const char *word)
{
    const struct texts *t = &d->options.values[id];
    for (size_t i = 0; i < t->len; i++) {
        job_add(j, word);
        job_add(j, t->data[i]);
    }
}

void compile_add_warnings(struct driver *d, struct job *j)
{
    if (options_has(&d->options, OPTION_NO_WARNINGS))
        job_add(j, "-w");
    if (options_has(&d->options, OPTION_NO_WARN_DEPRECATED))
        job_add(j, "-Wno-deprecated-declarations");
    if (options_has(&d->options, OPTION_WARN_REORDER))
        job_add(j, "-Wreorder");
    const struct texts *t = &d->options.values[OPTION_WERROR];
    for (size_t i = 0; i < t->len; i++)
        if (!strcmp(t->data[i], "all-warnings"))
            job_add(j, "-Werror");
        else if (!strcmp(t->data[i], "reorder") || !strcmp(t->data[i], "deprecated-declarations"))
            job_add(j, arena_printf(&d->arena, "-Werror=%s", t->data[i]));
    if (isatty(2))
        job_add(j, "-fdiagnostics-color");
}

// What the preprocessor sees in every pass.
void compile_add_preprocessor(struct driver *d, struct job *j)
{
    add_each(d, j, OPTION_DEFINE, "-D");
    add_each(d, j, OPTION_UNDEFINE, "-U");
    front_add_folders(&j->argv, &d->toolkit, &d->options.values[OPTION_INCLUDE_DIR], "-I");
    front_add_folders(&j->argv, &d->toolkit, &d->options.values[OPTION_SYSTEM_DIR], "-isystem");
    front_add_headers(&j->argv, &d->toolkit);
    job_add(j, "-D__NVCC__");
    front_add_versions(&j->argv, &d->toolkit);
}

static void add_arch_list(struct driver *d, struct job *j)
{
    struct str list = {0};
    job_add(j, "-U__CUDA_ARCH_LIST__"); // newer front ends have one of their own
    for (size_t i = 0; i < d->targets.len; i++)
        str_printf(&list, "%s%u", i ? "," : "-D__CUDA_ARCH_LIST__=", d->targets.data[i].sm * 10);
    job_add(j, arena_strdup(&d->arena, str_text(&list)));
    str_free(&list);
}

// The same name for both passes of a source, different for each source and set of options: it makes names of internal
// variables unique.
static const char *unit_id(struct driver *d, const char *source)
{
    struct hash128 h;
    char real[PATH_MAX], hex[33];
    hash128_init(&h);
    hash128_add_text(&h, realpath(source, real) ? real : source);
    for (int i = 0; i < OPTION_COUNT; i++)
        for (size_t k = 0; k < d->options.values[i].len; k++)
            if (i == OPTION_DEFINE || i == OPTION_INCLUDE_DIR || i == OPTION_OUTPUT)
                hash128_add_text(&h, d->options.values[i].data[k]);
    hash128_hex(&h, hex);
    return arena_printf(&d->arena, "%.16s", hex);
}

static struct front_options front_options(struct driver *d, const char *source)
{
    const struct options *o = &d->options;
    const char *std = options_value(o, OPTION_STD), *stream = options_value(o, OPTION_DEFAULT_STREAM);
    const char *dopt = options_value(o, OPTION_DOPT);
    bool fast = options_has(o, OPTION_FAST_MATH);
    return (struct front_options){
        .std = std ? std : "gnu++17",
        .unit = unit_id(d, source),
        .rdc = d->rdc,
        .extended_lambda = options_has(o, OPTION_EXTENDED_LAMBDA) || options_has(o, OPTION_EXPT_LAMBDA),
        .relaxed_constexpr = options_has(o, OPTION_RELAXED_CONSTEXPR),
        .per_thread_stream = stream && !strcmp(stream, "per-thread"),
        .device_debug = options_has(o, OPTION_DEVICE_DEBUG),
        .dopt = dopt && !strcmp(dopt, "on"),
        .lineinfo = options_has(o, OPTION_LINEINFO),
        .fast_math = fast,
        .ftz = options_bool(o, OPTION_FTZ, fast),
        .prec_div = options_bool(o, OPTION_PREC_DIV, !fast),
        .prec_sqrt = options_bool(o, OPTION_PREC_SQRT, !fast),
        .fmad = options_bool(o, OPTION_FMAD, true),
    };
}

// What both passes of a CUDA source have in common.
static void add_cuda(struct driver *d, struct job *j, const char *source)
{
    struct front_options o = front_options(d, source);
    front_add_cuda(&j->argv, &d->toolkit, &o);
    dialect_add(d, j, source);
    compile_add_preprocessor(d, j);
    add_arch_list(d, j);
    job_add(j, "-include");
    job_add(j, "cuda_runtime.h");
    add_each_pair(d, j, OPTION_PRE_INCLUDE, "-include");
    compile_add_warnings(d, j);
    front_add_modes(&j->argv, &o);
}

static void device_job(struct driver *d, struct job *j, const char *source, const struct target *t, const char *output)
{
    struct front_options o = front_options(d, source);
    add_cuda(d, j, source);
    front_add_device(&j->argv, &d->toolkit, &o, t);
    job_add(j, "-o");
    job_add(j, output);
    job_add(j, source);
}

void compile_add_host_options(struct driver *d, struct job *j)
{
    const struct options *o = &d->options;
    const char *level = options_value(o, OPTION_OPTIMIZE);
    bool debug = options_has(o, OPTION_DEBUG) || options_has(o, OPTION_DEVICE_DEBUG);
    job_add(j, arena_printf(&d->arena, "-O%s", level ? level : options_has(o, OPTION_DEVICE_DEBUG) ? "0" : "2"));
    job_add(j, "-fwrapv"); // checks of results are often computed with integers that overflow
    if (debug)
        job_add(j, "-g");
    if (options_has(o, OPTION_PROFILE))
        job_add(j, "-pg");
    if (options_has(o, OPTION_SHARED))
        job_add(j, "-fPIC");
    job_add_all(j, &o->values[OPTION_XCOMPILER]);
    if (options_has(o, OPTION_FORWARD) || options_has(o, OPTION_FORWARD_ALL))
        job_add_all(j, &o->unknown);
}

// The makefile rule that -MD and its family ask for beside the output.
void compile_add_dependencies(struct driver *d, struct job *j, const char *source, const char *output)
{
    const struct options *o = &d->options;
    bool only = d->phase == PHASE_DEPS;
    if (!only && !options_has(o, OPTION_DEPS_ALSO) && !options_has(o, OPTION_DEPS_USER_ALSO))
        return;
    const char *file = options_value(o, OPTION_DEPS_FILE), *target = options_value(o, OPTION_DEPS_TARGET);
    if (only)
        job_add(j, options_has(o, OPTION_DEPS_USER) ? "-MM" : "-M");
    else
        job_add(j, options_has(o, OPTION_DEPS_ALSO) ? "-MD" : "-MMD");
    if (!only && !file) {
        const char *final = options_value(o, OPTION_OUTPUT);
        const char *dot = final ? strrchr(final, '.') : NULL;
        file = dot ? arena_printf(&d->arena, "%.*s.d", (int)(dot - final), final)
                   : arena_printf(&d->arena, "%s.d", driver_stem(d, source));
    }
    if (file && !only) {
        job_add(j, "-MF");
        job_add(j, file);
    }
    job_add(j, "-MT");
    job_add(j, target                             ? target
               : only || d->phase != PHASE_OBJECT ? arena_printf(&d->arena, "%s.o", driver_stem(d, source))
                                                  : output);
    if (options_has(o, OPTION_DEPS_PHONY))
        job_add(j, "-MP");
}

static void host_job(struct driver *d, struct job *j, const char *source, const char *fatbin, const char *output)
{
    add_cuda(d, j, source);
    job_add(j, "--cuda-host-only");
    job_add(j, "-c");
    compile_add_host_options(d, j);
    compile_add_dependencies(d, j, source, output);
    front_add_inner(&j->argv, "-fcuda-include-gpubinary");
    front_add_inner(&j->argv, fatbin);
    job_add(j, "-o");
    job_add(j, output);
    job_add(j, source);
}

struct device_pass {
    struct job job;
    const char *ptx;
};

static unsigned passes_at_once(struct driver *d)
{
    const char *t = options_value(&d->options, OPTION_THREADS);
    unsigned n = t ? (unsigned)strtoul(t, NULL, 10) : 1;
    return n ? n : os_cpu_count();
}

// Runs the device passes, so many at a time. Their messages follow in order; after an error only those up to it.
static bool device_passes_run(struct driver *d, struct device_pass *passes, size_t count)
{
    size_t limit = passes_at_once(d), started = 0;
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        while (ok && started < count && started < i + limit)
            ok = job_start(&passes[started++].job);
        bool done = job_wait(&passes[i].job);
        if (ok || !done)
            job_print_errors(&passes[i].job);
        ok = ok && done;
        if (!ok)
            break;
    }
    for (size_t i = 0; i < count; i++)
        job_free(&passes[i].job);
    return ok;
}

static void usage_print(const struct driver *d, const struct fatbin_item *item, const struct target *t)
{
    if (!options_has(&d->options, OPTION_RES_USAGE) && !front_usage_wanted(&d->options.values[OPTION_XPTXAS]))
        return;
    struct str text = {0};
    front_usage(&text, item->ptx, item->size, t);
    fputs(str_text(&text), stderr);
    str_free(&text);
}

static void maxnreg_apply(struct driver *d, struct fatbin_item *item)
{
    const char *value = options_value(&d->options, OPTION_MAXRREG);
    unsigned long count = value ? strtoul(value, NULL, 10) : 0;
    if (!count)
        return;
    char *text = front_ptx_limit_registers(item->ptx, count, &item->size);
    free((char *)(uintptr_t)item->ptx);
    item->ptx = text;
}

// The sizes of clusters that kernels name.
static bool clusters_apply(struct driver *d, const char *source, const struct target *t, struct fatbin_item *item)
{
    if (!front_ptx_has_annotations(item->ptx))
        return true;
    const char *stem = driver_stem(d, source), *path = job_temp(&d->arena, stem, ".cluster.ll");
    struct job j = {.errors = job_temp(&d->arena, stem, ".cluster.err")}; // the messages have been printed
    struct front_options o = front_options(d, source);
    add_cuda(d, &j, source);
    front_add_device(&j.argv, &d->toolkit, &o, t);
    front_add_annotations(&j.argv);
    job_add(&j, "-o");
    job_add(&j, path);
    job_add(&j, source);
    bool ok = job_run(&j);
    job_free(&j);
    char *ir = ok ? os_file_read(path, NULL) : NULL;
    if (!ir)
        return nvcc_error("the sizes of clusters in '%s' cannot be read", source);
    char *text = front_ptx_clusters(item->ptx, ir, &item->size);
    free(ir);
    free((char *)(uintptr_t)item->ptx);
    item->ptx = text;
    return true;
}

// Compiles to PTX for each target; items get the texts, from malloc.
static bool ptx_make(struct driver *d, const char *source, struct fatbin_item *items)
{
    size_t count = d->targets.len;
    const char *stem = driver_stem(d, source);
    struct device_pass *passes = arena_array(&d->arena, struct device_pass, count);
    for (size_t i = 0; i < count; i++) {
        const struct target *t = &d->targets.data[i];
        const char *suffix = count == 1 ? ".ptx" : arena_printf(&d->arena, ".compute_%u%s.ptx", t->sm, t->suffix);
        passes[i].ptx = job_temp(&d->arena, stem, suffix);
        passes[i].job.errors = job_temp(&d->arena, stem, ".device.err");
        device_job(d, &passes[i].job, source, t, passes[i].ptx);
    }
    if (!device_passes_run(d, passes, count))
        return false;
    for (size_t i = 0; i < count && !job_dryrun(); i++) {
        size_t size;
        char *text = os_file_read(passes[i].ptx, &size);
        if (!text)
            return nvcc_error("'%s' cannot be read: %s", passes[i].ptx, strerror(errno));
        items[i] = (struct fatbin_item){.ptx = text,
                                        .size = size,
                                        .sm = d->targets.data[i].sm,
                                        .name = source,
                                        .debug = options_has(&d->options, OPTION_DEVICE_DEBUG)};
        if (!dialect_check_ptx(source, text) || !clusters_apply(d, source, &d->targets.data[i], &items[i]))
            return false;
        text = (char *)(uintptr_t)items[i].ptx;
        items[i].ptx = front_ptx_mend(text, &items[i].size);
        free(text);
        maxnreg_apply(d, &items[i]);
        usage_print(d, &items[i], &d->targets.data[i]);
    }
    return true;
}

bool compile_to_fatbin(struct driver *d, const char *source, struct str *out)
{
    size_t count = d->targets.len;
    struct fatbin_item *items = arena_array(&d->arena, struct fatbin_item, count);
    bool ok = ptx_make(d, source, items);
    if (ok && !job_dryrun())
        fatbin_write(out, items, count);
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)items[i].ptx);
    return ok;
}

static bool compile_ptx(struct driver *d, const char *source, const char *output)
{
    if (d->targets.len != 1)
        return nvcc_error("-ptx makes one file: name one target");
    struct fatbin_item item = {0};
    bool ok = ptx_make(d, source, &item) && (job_dryrun() || job_write_file(output, item.ptx, item.size));
    free((char *)(uintptr_t)item.ptx);
    return ok;
}

static bool compile_fatbin(struct driver *d, const char *source, const char *output)
{
    struct str out = {0};
    bool ok = compile_to_fatbin(d, source, &out) && job_write_file(output, str_text(&out), out.len);
    str_free(&out);
    return ok;
}

// A PTX text of the user's, put into a fat binary.
static bool wrap_ptx(const char *source, const char *output)
{
    struct fatbin_item item = {.name = source};
    char *text = os_file_read(source, &item.size);
    if (!text)
        return nvcc_error("'%s': %s", source, strerror(errno));
    struct str out = {0};
    item.ptx = text;
    item.sm = fatbin_ptx_target(text);
    bool ok = item.sm || nvcc_error("'%s' is no PTX text: it has no .target", source);
    if (ok) {
        fatbin_write(&out, &item, 1);
        ok = job_write_file(output, str_text(&out), out.len);
    }
    str_free(&out);
    free(text);
    return ok;
}

static bool compile_cuda_object(struct driver *d, const char *source, const char *output)
{
    const char *stem = driver_stem(d, source);
    const char *pipe = job_temp(&d->arena, stem, ".fatbin.pipe");
    const char *errors = job_temp(&d->arena, stem, ".host.err");
    struct job host = {.errors = errors}, feed = {.errors = errors};
    struct str fatbin = {0};
    bool ok = false, dry = job_dryrun();
    host_job(d, &host, source, pipe, output);
    feed.errors = NULL;
    unlink(pipe);
    if (!dry && mkfifo(pipe, 0600)) {
        nvcc_error("'%s' cannot be made: %s", pipe, strerror(errno));
        goto done;
    }
    if ((!dry && !job_start(&host)) || !compile_to_fatbin(d, source, &fatbin))
        goto done;
    if (dry) {
        ok = job_start(&host);
        goto done;
    }
    if (options_has(&d->options, OPTION_KEEP) || options_has(&d->options, OPTION_KEEP_DIR))
        job_write_file(job_temp(&d->arena, stem, ".fatbin"), str_text(&fatbin), fatbin.len);
    if (!job_feed(&feed, pipe, str_text(&fatbin), fatbin.len))
        goto done;
    ok = job_wait(&host);
    job_print_errors(&host);
    if (!ok && host.status > 1)
        nvcc_error("the host pass of '%s' ended with status %d", source, host.status);
done:
    job_free(&feed);
    job_free(&host);
    if (!dry) {
        unlink(pipe);
        unlink(errors);
    }
    str_free(&fatbin);
    if (!ok && !dry)
        job_remove_file(output);
    return ok;
}

// -E and -M of a CUDA source show the host side, as CUDA's own driver does.
static bool preprocess_cuda(struct driver *d, const char *source, const char *output)
{
    struct job j = {0};
    add_cuda(d, &j, source);
    job_add(&j, "--cuda-host-only");
    if (d->phase == PHASE_DEPS)
        compile_add_dependencies(d, &j, source, output);
    else
        job_add(&j, "-E");
    job_add_all(&j, &d->options.values[OPTION_XCOMPILER]);
    if (output) {
        job_add(&j, "-o");
        job_add(&j, output);
    }
    job_add(&j, source);
    bool ok = job_run(&j);
    job_free(&j);
    return ok;
}

static bool compile_host(struct driver *d, const char *source, const char *output)
{
    struct job j = {0};
    const struct options *o = &d->options;
    const char *x = options_value(o, OPTION_LANGUAGE), *std = options_value(o, OPTION_STD);
    bool is_c = x ? !strcmp(x, "c") : driver_has_suffix(source, ".c");
    job_add(&j, d->host_cc);
    job_add(&j, "-x");
    if (driver_has_suffix(source, ".s") || driver_has_suffix(source, ".S"))
        job_add(&j, "assembler-with-cpp");
    else
        job_add(&j, is_c ? "c" : "c++");
    if (std && is_c == (strstr(std, "++") == NULL))
        job_add(&j, arena_printf(&d->arena, "-std=%s", std));
    compile_add_preprocessor(d, &j);
    add_each_pair(d, &j, OPTION_PRE_INCLUDE, "-include");
    compile_add_warnings(d, &j);
    compile_add_host_options(d, &j);
    if (d->phase == PHASE_PREPROCESS)
        job_add(&j, "-E");
    else if (d->phase != PHASE_DEPS)
        job_add(&j, "-c");
    compile_add_dependencies(d, &j, source, output);
    if (output) {
        job_add(&j, "-o");
        job_add(&j, output);
    }
    job_add(&j, source);
    bool ok = job_run(&j);
    job_free(&j);
    return ok;
}

bool compile_source(struct driver *d, const char *source, const char *output)
{
    if (access(source, R_OK))
        return nvcc_error("'%s': %s", source, strerror(errno));
    if (driver_has_suffix(source, ".ptx"))
        return wrap_ptx(source, output);
    bool cuda = driver_source_is_cuda(d, source);
    if (cuda && options_has(&d->options, OPTION_EMULATION))
        return emulate_source(d, source, output);
    switch (d->phase) {
    case PHASE_PTX:
        return cuda ? compile_ptx(d, source, output) : nvcc_error("'%s' is no CUDA source", source);
    case PHASE_CUBIN:
    case PHASE_FATBIN:
        return cuda ? compile_fatbin(d, source, output) : nvcc_error("'%s' is no CUDA source", source);
    case PHASE_PREPROCESS:
    case PHASE_DEPS:
        return cuda ? preprocess_cuda(d, source, output) : compile_host(d, source, output);
    default:
        return cuda ? compile_cuda_object(d, source, output) : compile_host(d, source, output);
    }
}
