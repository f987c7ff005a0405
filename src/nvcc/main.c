// SPDX-License-Identifier: Apache-2.0
// nvcc: the compiler driver of the toolkit. It finds clang, the headers, the libraries and the device math library from
// its own place, and turns CUDA sources into objects that carry PTX, or into programs.
#include "nvcc/driver.h"
#include "base/os.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *output_suffix(const struct driver *d)
{
    switch (d->phase) {
    case PHASE_TEXT:
        return ".cu.cpp.ii";
    case PHASE_PTX:
        return ".ptx";
    case PHASE_CUBIN:
        return ".cubin";
    case PHASE_FATBIN:
        return ".fatbin";
    default:
        return ".o";
    }
}

// The output of one source. Sources on the way to a program give temporary objects.
static const char *output_of(struct driver *d, const char *source)
{
    const char *given = options_value(&d->options, OPTION_OUTPUT), *dir = options_value(&d->options, OPTION_OUTPUT_DIR);
    const char *stem = driver_stem(d, source);
    if (d->phase == PHASE_LINK || d->phase == PHASE_LIB || d->phase == PHASE_DLINK)
        return job_temp(&d->arena, stem, ".o");
    if (given && !strcmp(given, "-") && (d->phase == PHASE_PTX || d->phase == PHASE_PREPROCESS))
        return d->phase == PHASE_PTX ? "/dev/stdout" : NULL;
    if (given)
        return driver_output(d);
    if (d->phase == PHASE_PREPROCESS || d->phase == PHASE_DEPS)
        return NULL;
    return arena_printf(&d->arena, "%s%s%s%s", dir ? dir : "", dir ? "/" : "", stem, output_suffix(d));
}

static bool is_source(const struct driver *d, const char *path)
{
    if (driver_has_suffix(path, ".ptx") && (d->phase == PHASE_CUBIN || d->phase == PHASE_FATBIN))
        return true;
    return driver_source_is_cuda(d, path) || driver_source_is_host(d, path);
}

static bool inputs_check(struct driver *d)
{
    const struct texts *in = &d->options.inputs;
    size_t sources = 0, files = 0;
    for (size_t i = 0; i < in->len; i++) {
        if (!strncmp(in->data[i], "-l", 2))
            continue;
        files++;
        sources += is_source(d, in->data[i]);
        // Of other languages the host compiler says it, or not: `nvcc .c -Xcompiler --version` is how build systems ask for its version.
        if (!driver_source_is_host(d, in->data[i]) && access(in->data[i], R_OK))
            return nvcc_error("'%s': %s", in->data[i], strerror(errno));
    }
    if (!files)
        return nvcc_error("no input files; --help lists the options");
    bool one_each = d->phase != PHASE_LINK && d->phase != PHASE_LIB && d->phase != PHASE_DLINK;
    if (one_each && sources > 1 && options_has(&d->options, OPTION_OUTPUT) && d->phase != PHASE_DEPS)
        return nvcc_error("-o names one file, and there are %zu sources", sources);
    return true;
}

// Compiles the sources; what the linker takes (objects, libraries, the objects just made) goes to links, in order.
static bool sources_compile(struct driver *d, struct texts *links)
{
    const struct texts *in = &d->options.inputs;
    for (size_t i = 0; i < in->len; i++) {
        const char *file = in->data[i];
        if (!is_source(d, file)) {
            if (d->phase != PHASE_LINK && d->phase != PHASE_LIB && d->phase != PHASE_DLINK && strncmp(file, "-l", 2))
                nvcc_warning("'%s' is not used, as nothing is linked", file);
            vec_push(links, file);
            continue;
        }
        const char *output = output_of(d, file);
        if (options_has(&d->options, OPTION_CLEAN)) {
            if (output)
                job_remove_file(output);
        } else if (!compile_source(d, file, output)) {
            return false;
        }
        vec_push(links, output);
    }
    return true;
}

// Before anything is compiled for it: whether the output can be made where it is to be.
static bool output_check(const char *path)
{
    struct stat st;
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];
    if (!stat(path, &st)) {
        errno = S_ISDIR(st.st_mode) ? EISDIR : access(path, W_OK) ? errno : 0;
    } else if (slash != path) {
        snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
        errno = access(folder, W_OK | X_OK) ? errno : 0;
    } else {
        errno = 0;
    }
    return !errno || nvcc_error("'%s' cannot be written: %s", path, strerror(errno));
}

static int program_run(struct driver *d, const char *program)
{
    struct job j = {0};
    job_add(&j, strchr(program, '/') ? program : arena_printf(&d->arena, "./%s", program));
    job_add_all(&j, &d->options.values[OPTION_RUN_ARGS]);
    job_run(&j);
    int status = j.status;
    job_free(&j);
    return status;
}

// The program that -run names when it is there already, or NULL. NVIDIA's driver hands the name to a shell, so Meson puts
// quotes around it.
static const char *program_named(struct driver *d)
{
    const struct texts *in = &d->options.inputs;
    if (!options_has(&d->options, OPTION_RUN) || in->len != 1)
        return NULL;
    const char *name = in->data[0];
    size_t n = strlen(name);
    if (n > 2 && name[0] == '"' && name[n - 1] == '"')
        name = arena_strndup(&d->arena, name + 1, n - 2);
    return is_source(d, name) || driver_has_suffix(name, ".o") || access(name, X_OK) ? NULL : name;
}

static int driver_run(struct driver *d)
{
    const char *given = driver_output(d);
    struct texts links = {0};
    const char *program = program_named(d);
    if (program)
        return program_run(d, program);
    bool checked = options_has(&d->options, OPTION_CLEAN) || job_dryrun() || !given || output_check(given);
    bool ok = checked && inputs_check(d) && sources_compile(d, &links);
    int status = ok ? 0 : 1;
    const char *output = given                     ? given
                         : d->phase == PHASE_LIB   ? "a.a"
                         : d->phase == PHASE_DLINK ? "a_dlink.o"
                                                   : "a.out";
    if (ok && options_has(&d->options, OPTION_CLEAN)) {
        if (d->phase == PHASE_LINK || d->phase == PHASE_LIB || d->phase == PHASE_DLINK)
            job_remove_file(output);
    } else if (ok && d->phase == PHASE_LINK) {
        status = link_program(d, &links, output) ? 0 : 1;
        if (!status && options_has(&d->options, OPTION_RUN))
            status = program_run(d, output);
    } else if (ok && d->phase == PHASE_LIB) {
        status = link_library(d, &links, output) ? 0 : 1;
    } else if (ok && d->phase == PHASE_DLINK) {
        const char *made;
        status = rdc_link(d, &links, output, &made) ? 0 : 1;
    }
    vec_free(&links);
    return status;
}

// What build systems read from -v and -dryrun to learn the places of the toolkit. CMake takes as link line the one that
// has the text of LIBRARIES in it, and every -L there for a folder that needs no run path; so lib64 itself is not named so.
static void places_print(const struct driver *d)
{
    const char *path = secure_getenv("PATH");
    fprintf(stderr, "#$ TOP=%s\n#$ PATH=%s\n#$ INCLUDES=\"-I%s\"\n#$ LIBRARIES= -L%s\n", d->toolkit.root,
            path ? path : "", d->toolkit.include, d->toolkit.link);
    fputs("#$ TARGETS=", stderr);
    for (size_t i = 0; i < d->targets.len; i++)
        fprintf(stderr, " -arch compute_%u%s", d->targets.data[i].sm, d->targets.data[i].suffix);
    fputc('\n', stderr);
}

static const char *keep_dir(struct driver *d)
{
    const char *dir = options_value(&d->options, OPTION_KEEP_DIR);
    if (!options_has(&d->options, OPTION_KEEP) && !options_has(&d->options, OPTION_SAVE_TEMPS))
        return NULL;
    return dir ? dir : ".";
}

// With --objdir-as-tempdir, where temporary files go.
static const char *temp_base(struct driver *d)
{
    const char *output = options_value(&d->options, OPTION_OUTPUT),
               *dir = options_value(&d->options, OPTION_OUTPUT_DIR);
    if (!options_has(&d->options, OPTION_OBJ_TEMP) || d->phase != PHASE_OBJECT)
        return NULL;
    const char *slash = output ? strrchr(output, '/') : NULL;
    return slash ? arena_strndup(&d->arena, output, (size_t)(slash - output)) : dir ? dir : ".";
}

int main(int argc, char **argv)
{
    struct driver d = {0};
    int status = 1;
    if (driver_init(&d, argc, argv)) {
        const struct options *o = &d.options;
        if (options_has(o, OPTION_HELP)) {
            options_print_help();
            status = 0;
        } else if (options_has(o, OPTION_VERSION)) {
            front_print_version("nvcc", "compiler driver");
            status = 0;
        } else if (options_has(o, OPTION_LIST_ARCH) || options_has(o, OPTION_LIST_CODE)) {
            targets_print_list(options_has(o, OPTION_LIST_ARCH), options_has(o, OPTION_LIST_CODE));
            status = 0;
        } else {
            const char *dir = keep_dir(&d);
            job_init(options_has(o, OPTION_DRYRUN), options_has(o, OPTION_VERBOSE), dir, temp_base(&d));
            job_time_init(options_value(o, OPTION_TIME));
            if (dir && !os_mkdirs(dir))
                nvcc_error("folder '%s' cannot be made: %s", dir, strerror(errno));
            else {
                if (job_dryrun() || job_verbose())
                    places_print(&d);
                status = driver_run(&d);
            }
            job_fini();
        }
    }
    driver_fini(&d);
    return status;
}
