// SPDX-License-Identifier: Apache-2.0
// One source through the compiler. A CUDA source takes a device pass for each target, whose PTX goes into a fat binary,
// and a host pass that embeds it. The host pass runs beside the device passes: it is given a named pipe as its fat
// binary, which it reads only when it has parsed the whole source, so it waits there until the PTX is done.
#include "nvcc/driver.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/str.h"
#include "fatbin/device_link.h"
#include "fatbin/fatbin_write.h"
#include "front/ptx/assemble.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// module: the front end's module alone.
static void host_job(struct driver *d, struct job *j, const char *source, const char *fatbin, bool module,
                     const char *output)
{
    j->phase = "clang (host)";
    j->source = source;
    j->pch = d->host_pch;
    arguments_add_cuda(d, j, source);
    arguments_add_place(d, j);
    job_add(j, "--cuda-host-only");
    job_add(j, module || d->phase == PHASE_TEXT ? "-S" : "-c");
    if (module) {
        job_add(j, "-emit-llvm");
        front_add_inner(&j->argv, "-disable-llvm-passes");
    } else if (d->phase == PHASE_TEXT) {
        job_add(j, "-fno-addrsig"); // a word of clang's assembler alone
    }
    front_add_inner(&j->argv, "-fno-temp-file"); // what is incomplete is removed here
    arguments_add_host(d, j);
    arguments_add_dependencies(d, j, source);
    front_add_inner(&j->argv, "-fcuda-include-gpubinary");
    front_add_inner(&j->argv, fatbin);
    job_add_files(j, output, source);
}

// Device passes write the makefile rule where there is no host pass.
static bool writes_rule(const struct driver *d)
{
    return d->phase == PHASE_PTX || d->phase == PHASE_CUBIN || d->phase == PHASE_FATBIN;
}

static void device_job(struct driver *d, struct job *j, const char *source, const struct target *t, const char *rule,
                       const char *output)
{
    j->phase = "clang (device)";
    j->source = source;
    j->pch = d->device_pch[t - d->targets.data];
    j->arch = arena_printf(&d->arena, "compute_%u%s", t->sm, t->suffix);
    arguments_add_device(d, j, source, t);
    if (writes_rule(d) && d->rule) {
        arguments_add_dependencies(d, j, source);
    } else {
        job_add(j, "-MD");
        job_add(j, "-MF");
        job_add(j, rule);
    }
    job_add_files(j, output, source);
}

struct device_pass {
    struct job job;
    const char *ptx, *rule;
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
        if ((ok || !done) && (done || !(precompile_failed(d, &passes[i].job) || mend_found(d, &passes[i].job))))
            mend_print(d, &passes[i].job);
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

static void text_replace(struct fatbin_item *item, char *text)
{
    free((char *)(uintptr_t)item->ptx);
    item->ptx = text;
}

// What options ask for that is a change of the PTX text.
static void text_options_apply(struct driver *d, struct fatbin_item *item)
{
    const struct options *o = &d->options;
    const char *limit = options_value(o, OPTION_MAXRREG);
    unsigned long count = limit ? strtoul(limit, NULL, 10) : 0;
    text_replace(item, front_ptx_mend(item->ptx, &item->size));
    if (count)
        text_replace(item, front_ptx_limit_registers(item->ptx, count, &item->size));
    if (options_has(o, OPTION_ENTRIES))
        text_replace(item, front_ptx_select(item->ptx, &o->values[OPTION_ENTRIES], &item->size));
    if (options_has(o, OPTION_SRC_IN_PTX))
        text_replace(item, front_ptx_interleave(item->ptx, &item->size));
}

static enum fatbin_packing packing(const struct driver *d)
{
    const char *mode = options_value(&d->options, OPTION_COMPRESS);
    if (!mode || options_has(&d->options, OPTION_NO_COMPRESS) || !strcmp(mode, "none") || !strcmp(mode, "default"))
        return FATBIN_PACK_NONE;
    return !strcmp(mode, "size") ? FATBIN_PACK_ZSTD : FATBIN_PACK_LZ4;
}

// The sizes of clusters that kernels name.
static bool clusters_apply(struct driver *d, const char *source, const struct target *t, struct fatbin_item *item)
{
    if (!front_ptx_has_annotations(item->ptx))
        return true;
    const char *stem = driver_stem(d, source), *path = job_temp(&d->arena, stem, ".cluster.ll");
    struct job j = {.capture = true}; // the messages have been printed
    arguments_add_device(d, &j, source, t);
    front_add_annotations(&j.argv);
    job_add_files(&j, path, source);
    char *ir = job_finish(&j) ? os_file_read(path, NULL) : NULL;
    if (!ir)
        return nvcc_error("the sizes of clusters in '%s' cannot be read", source);
    text_replace(item, front_ptx_clusters(item->ptx, ir, &item->size));
    free(ir);
    return true;
}

// The names of static variables that the host may write without the device pass seeing it.
static struct texts statics_read(struct driver *d, const char *rule)
{
    struct texts names = {0};
    struct front_sources found = {0};
    const char *asked = writes_rule(d) ? d->rule : NULL;
    char *text = job_dryrun() ? NULL : os_file_read(asked ? asked : rule, NULL);
    if (text)
        found = front_statics_read(&names, &d->toolkit, text);
    free(text);
    d->managed = found.managed;
    if (!found.sides && !writes_rule(d))
        names.len = 0;
    return names;
}

// What must be changed before LLVM sees the module: static variables that the host may write, carries between asm statements.
static bool module_apply(struct driver *d, const char *source, const struct target *t, const struct texts *names,
                         struct fatbin_item *item)
{
    struct front_options front = arguments_front_options(d, source);
    const char *stem = driver_stem(d, source), *path = job_temp(&d->arena, stem, ".module.ll");
    const char *ptx = job_temp(&d->arena, stem, ".module.ptx");
    struct job first = {.capture = true}, second = {.capture = true}; // the messages have been printed
    size_t size;
    if (!names->len && !front_ptx_has_carries(item->ptx))
        return true;
    arguments_add_device(d, &first, source, t);
    front_add_annotations(&first.argv);
    job_add_files(&first, path, source);
    bool ok = job_run(&first);
    char *ir = ok ? os_file_read(path, NULL) : NULL, *changed = ir ? front_ir_change(ir, names, &size) : NULL;
    if (changed) {
        front_add_module(&second.argv, &d->toolkit, &front, t);
        job_add(&second, path);
        job_add(&second, "-o");
        job_add(&second, ptx);
        char *text = NULL;
        ok = job_write_file(path, changed, size) && job_run(&second) && (text = os_file_read(ptx, &item->size));
        if (ok)
            text_replace(item, front_ptx_close_statics(text, names, d->rdc ? front.unit : NULL, &item->size));
        free(text);
    }
    if (ok && writes_rule(d) && !d->rdc)
        text_replace(item, front_ptx_plain_statics(item->ptx, names, &item->size));
    job_free(&first);
    job_free(&second);
    free(ir);
    free(changed);
    return ok || nvcc_error("the device code of '%s' cannot be compiled once more", source);
}

// What calls the device runtime gets it, in the form for GPUs: here where nothing is linked later.
static bool runtime_apply(const struct driver *d, const char *source, struct fatbin_item *item)
{
    struct ptx_link_input inputs[1 + DEVICE_RUNTIME_TEXTS] = {{source, item->ptx}};
    size_t count = d->rdc ? 0 : device_runtime_add(d->toolkit.devrt, inputs, 1);
    if (!count)
        return true;
    struct str out = {0};
    struct diag diag;
    diag_init(&diag, source);
    bool ok = ptx_link(inputs, 1 + count, item->sm, false, &out, &diag);
    if (!ok)
        front_print_messages("nvlink", str_text(&diag.text));
    diag_fini(&diag);
    for (size_t i = 1; i <= count; i++)
        free((char *)(uintptr_t)inputs[i].text);
    item->size = out.len;
    text_replace(item, out.data);
    return ok;
}

// What becomes machine code is checked as ptxas does; PTX for a file or for the device link is not.
static bool machine_check(const struct driver *d, const struct fatbin_item *item)
{
    if (d->rdc || d->phase == PHASE_PTX)
        return true;
    struct diag diag;
    diag_init(&diag, NULL);
    bool ok = front_shared_check(item->ptx, item->size, &diag);
    if (!ok)
        front_print_messages("ptxas", str_text(&diag.text));
    diag_fini(&diag);
    return ok;
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
        passes[i].rule = arena_printf(&d->arena, "%s.d", passes[i].ptx);
        passes[i].job.capture = true;
        device_job(d, &passes[i].job, source, t, passes[i].rule, passes[i].ptx);
    }
    if (!device_passes_run(d, passes, count))
        return false;
    if (writes_rule(d))
        precompile_mend_rule(d, d->rule);
    bool syntax = options_has(&d->options, OPTION_SYNTAX_ONLY), ok = true;
    struct texts statics = statics_read(d, passes[0].rule);
    for (size_t i = 0; i < count && !job_dryrun() && !syntax && ok; i++) {
        size_t size;
        char *text = os_file_read(passes[i].ptx, &size);
        if (!text)
            return nvcc_error("'%s' cannot be read: %s", passes[i].ptx, strerror(errno));
        items[i] = (struct fatbin_item){.ptx = text,
                                        .size = size,
                                        .sm = d->targets.data[i].sm,
                                        .name = source,
                                        .packing = packing(d),
                                        .debug = options_has(&d->options, OPTION_DEVICE_DEBUG)};
        ok = dialect_check_ptx(source, text) && module_apply(d, source, &d->targets.data[i], &statics, &items[i]) &&
             clusters_apply(d, source, &d->targets.data[i], &items[i]);
        if (!ok)
            break;
        text_options_apply(d, &items[i]);
        ok = runtime_apply(d, source, &items[i]) && machine_check(d, &items[i]);
        usage_print(d, &items[i], &d->targets.data[i]);
    }
    vec_free(&statics);
    return ok;
}

bool compile_to_fatbin(struct driver *d, const char *source, struct str *out)
{
    size_t count = d->targets.len;
    struct fatbin_item *items = arena_array(&d->arena, struct fatbin_item, count);
    bool ok = ptx_make(d, source, items);
    if (ok && !job_dryrun())
        fatbin_write(out, items, options_has(&d->options, OPTION_SYNTAX_ONLY) ? 0 : count);
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)items[i].ptx);
    return ok;
}

static bool compile_ptx(struct driver *d, const char *source, const char *output)
{
    if (d->targets.len != 1)
        return nvcc_error("-ptx makes one file: name one target");
    struct fatbin_item item = {0};
    precompile(d, source, false);
    bool ok = ptx_make(d, source, &item) && (job_dryrun() || !item.ptx || job_write_file(output, item.ptx, item.size));
    free((char *)(uintptr_t)item.ptx);
    return ok;
}

static bool compile_fatbin(struct driver *d, const char *source, const char *output)
{
    struct str out = {0};
    precompile(d, source, false);
    bool ok = compile_to_fatbin(d, source, &out) && job_write_file(output, str_text(&out), out.len);
    str_free(&out);
    return ok;
}

// A PTX text of the user's, checked and put into a fat binary.
static bool assemble_ptx(struct driver *d, const char *source, const char *output)
{
    const struct options *o = &d->options;
    const char *limit = options_value(o, OPTION_MAXRREG);
    struct front_assembly a = {.name = source,
                               .kernels = &o->values[OPTION_ENTRIES],
                               .registers = limit ? strtoul(limit, NULL, 10) : 0,
                               .debug = options_has(o, OPTION_DEVICE_DEBUG),
                               .complete = !d->rdc};
    if (options_has(o, OPTION_ARCH) || options_has(o, OPTION_GENCODE))
        a.target = d->targets.data[d->targets.len - 1];
    if (job_dryrun())
        return true;
    char *text = os_file_read(source, &a.size);
    if (!text)
        return nvcc_error("'%s': %s", source, strerror(errno));
    a.text = text;
    struct str image = {0}, report = {0};
    struct diag diag;
    diag_init(&diag, source);
    bool ok = front_assemble(&a, &image, &report, &diag);
    if (!ok || !options_has(o, OPTION_NO_WARNINGS))
        front_print_messages("ptxas", str_text(&diag.text));
    if (!ok)
        nvcc_error("'%s' was not assembled", source);
    else if (options_has(o, OPTION_RES_USAGE) || front_usage_wanted(&o->values[OPTION_XPTXAS]))
        fputs(str_text(&report), stderr);
    ok = ok && job_write_file(output, str_text(&image), image.len);
    diag_fini(&diag);
    str_free(&image);
    str_free(&report);
    free(text);
    return ok;
}

// The host pass of a source with managed variables, in two steps: the front end's module is changed between them.
static bool managed_make(struct driver *d, const char *source, const struct str *fatbin, const char *output)
{
    const char *stem = driver_stem(d, source), *binary = job_temp(&d->arena, stem, ".managed.fatbin");
    const char *path = job_temp(&d->arena, stem, ".managed.ll");
    struct job first = {.capture = true}, second = {.phase = "clang (host)", .source = source};
    struct str unsure = {0};
    size_t size;
    host_job(d, &first, source, binary, true, path);
    bool ok = job_write_file(binary, str_text(fatbin), fatbin->len) && job_run(&first);
    if (ok || !(precompile_failed(d, &first) || mend_found(d, &first)))
        mend_print(d, &first);
    char *ir = ok ? os_file_read(path, NULL) : NULL, *changed = ir ? front_ir_managed(ir, &size, &unsure) : NULL;
    if (unsure.len && !options_has(&d->options, OPTION_NO_WARNINGS))
        fprintf(stderr, "nvcc warning : on a GPU, addresses of managed variables are not those that %s begins with\n",
                unsure.data);
    if (ok && changed)
        ok = job_write_file(path, changed, size);
    if (ok) {
        job_add(&second, d->toolkit.clangxx);
        job_add(&second, "-Qunused-arguments"); // what speaks of the source
        job_add(&second, d->phase == PHASE_TEXT ? "-S" : "-c");
        if (d->phase == PHASE_TEXT)
            job_add(&second, "-fno-addrsig");
        front_add_inner(&second.argv, "-fno-temp-file");
        arguments_add_host(d, &second);
        job_add(&second, "-o");
        job_add(&second, output);
        job_add(&second, "-x");
        job_add(&second, "ir");
        job_add(&second, path);
        ok = job_run(&second);
    }
    job_free(&first);
    job_free(&second);
    str_free(&unsure);
    free(ir);
    free(changed);
    return ok;
}

static bool compile_cuda_object(struct driver *d, const char *source, const char *output)
{
    if (!launch_check(d, source))
        return false;
    const char *stem = driver_stem(d, source);
    const char *pipe = job_temp(&d->arena, stem, ".fatbin.pipe");
    struct job host = {.capture = true}, feed = {0};
    struct str fatbin = {0};
    bool ok = false, dry = job_dryrun();
    precompile(d, source, true);
    host_job(d, &host, source, pipe, false, output);
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
    if (d->managed) {
        job_kill(&host);
        ok = managed_make(d, source, &fatbin, output);
        precompile_mend_rule(d, d->rule);
        goto done;
    }
    if (!job_feed(&feed, pipe, str_text(&fatbin), fatbin.len))
        goto done;
    ok = job_wait(&host);
    if (!ok && (precompile_failed(d, &host) || mend_found(d, &host)))
        goto done;
    mend_print(d, &host);
    precompile_mend_rule(d, d->rule);
done:
    job_free(&feed);
    job_free(&host);
    if (!dry)
        unlink(pipe);
    str_free(&fatbin);
    if (!ok && !dry)
        job_remove_file(output);
    return ok;
}

// -cuda: launches become calls within the front end, so that there is no C++ text between; the text that the host
// compiler gets is the host code's assembly, with the fat binary.
static bool compile_text(struct driver *d, const char *source, const char *output)
{
    const char *assembly = job_temp(&d->arena, driver_stem(d, source), ".s");
    if (!compile_cuda_object(d, source, assembly))
        return false;
    char *text = job_dryrun() ? NULL : os_file_read(assembly, NULL);
    struct str out = {0};
    str_append(&out, "__asm__(\n");
    for (const char *p = text; p && *p;) {
        size_t n = strcspn(p, "\n");
        str_append_quoted(&out, arena_printf(&d->arena, "%.*s", (int)n, p));
        out.data[--out.len] = 0; // the newline goes before the closing quote
        str_append(&out, "\\n\"\n");
        p += n + (p[n] != 0);
    }
    str_append(&out, "\"\\t.text\\n\");\n");
    bool ok = job_dryrun() || (text && job_write_file(output, str_text(&out), out.len));
    str_free(&out);
    free(text);
    return ok;
}

// -E and -M of a CUDA source are those of the device side, for the first target, as with CUDA's own driver.
static bool preprocess_cuda(struct driver *d, const char *source, const char *output)
{
    struct job j = {0};
    arguments_add_device(d, &j, source, &d->targets.data[0]);
    if (d->phase == PHASE_DEPS)
        arguments_add_dependencies(d, &j, source);
    else
        job_add(&j, "-E");
    openmp_add_host(d, &j, false);
    job_add_files(&j, output, source);
    return job_finish(&j);
}

static bool compile_host(struct driver *d, const char *source, const char *output)
{
    struct job j = {.phase = "host compiler", .source = source};
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
    arguments_add_preprocessor(d, &j);
    arguments_add_arch_list(d, &j);
    arguments_add_includes(d, &j);
    arguments_add_warnings(d, &j);
    arguments_add_host(d, &j);
    if (d->phase == PHASE_PREPROCESS)
        job_add(&j, "-E");
    else if (d->phase != PHASE_DEPS)
        job_add(&j, "-c");
    arguments_add_dependencies(d, &j, source);
    job_add_files(&j, output, source);
    return job_finish(&j);
}

static bool source_compile(struct driver *d, const char *source, const char *output)
{
    if (driver_has_suffix(source, ".ptx"))
        return assemble_ptx(d, source, output);
    bool cuda = driver_source_is_cuda(d, source);
    if (cuda && options_has(&d->options, OPTION_EMULATION))
        return emulate_source(d, source, output);
    switch (d->phase) {
    case PHASE_PTX:
        return cuda ? compile_ptx(d, source, output) : nvcc_error("'%s' is no CUDA source", source);
    case PHASE_CUBIN:
    case PHASE_FATBIN:
        return cuda ? compile_fatbin(d, source, output) : nvcc_error("'%s' is no CUDA source", source);
    case PHASE_TEXT:
        return !cuda || compile_text(d, source, output); // the host compiler takes others as they are
    case PHASE_PREPROCESS:
    case PHASE_DEPS:
        return cuda ? preprocess_cuda(d, source, output) : compile_host(d, source, output);
    default:
        return cuda ? compile_cuda_object(d, source, output) : compile_host(d, source, output);
    }
}

bool compile_source(struct driver *d, const char *source, const char *output)
{
    if (!driver_source_is_host(d, source) && access(source, R_OK)) // that compiler says it itself
        return nvcc_error("'%s': %s", source, strerror(errno));
    bool ok, before = d->no_precompiling, again;
    const char *made = job_output(&d->arena, output), *rule = arguments_dependency_file(d, source);
    d->rule = job_output(&d->arena, rule);
    mend_begin(d, source);
    do {
        ok = source_compile(d, source, made);
        again = !ok && (mend_again(d) || (d->no_precompiling && !before)); // once more, mended or without
        before = d->no_precompiling;
    } while (again);
    ok = ok && job_deliver(made, output) && job_deliver(d->rule, rule);
    if (ok)
        mend_warn(d);
    mend_end(d);
    return ok;
}
