// SPDX-License-Identifier: Apache-2.0
// -Xcompiler -fopenmp. Users of CUDA have gcc's OpenMP, whose library comes with gcc; clang makes calls of its own
// library, libomp, which is a package apart. It is taken from clang's own tree or from that of another clang (all
// versions that we support have the entry points). Without it every object of a C++ source gets them over gcc's library
// (include/heddle/openmp_runtime.h), so that any linker makes a program of it that is told -fopenmp or -lgomp. A source
// in C that clang compiles runs its regions on one thread, which the standard allows; a warning says so.
#include "nvcc/driver.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NEWEST 22
#define OLDEST 19

// Where clang finds a file of the machine's libraries; NULL: nowhere.
static const char *clang_file(struct driver *d, const char *name)
{
    const char *command = arena_printf(&d->arena, "'%s' -print-file-name=%s", d->toolkit.clangxx, name);
    char line[4096];
    FILE *f = popen(command, "r");
    if (!f)
        return NULL;
    bool got = fgets(line, sizeof line, f) != NULL;
    pclose(f);
    if (!got)
        return NULL;
    line[strcspn(line, "\n")] = 0;
    return line[0] == '/' && !access(line, R_OK) ? arena_strdup(&d->arena, line) : NULL;
}

static const char *folder_of(struct driver *d, const char *path)
{
    return arena_strndup(&d->arena, path, (size_t)(strrchr(path, '/') - path));
}

static bool other_tree(struct driver *d, unsigned version)
{
    const char *root = arena_printf(&d->arena, "/usr/lib/llvm-%u/lib", version);
    const char *header = arena_printf(&d->arena, "%s/clang/%u/include/omp.h", root, version);
    const char *library = arena_printf(&d->arena, "%s/libomp.so", root);
    if (access(library, R_OK) || access(header, R_OK))
        return false;
    d->openmp.library = library;
    d->openmp.folder = folder_of(d, header);
    return true;
}

const char *openmp_header(struct driver *d)
{
    const char *header = clang_file(d, "include/omp.h");
    return header ? folder_of(d, header) : NULL;
}

const char *openmp_before(struct driver *d)
{
    return arena_printf(&d->arena, "%s/heddle/omp", d->toolkit.include);
}

void openmp_find(struct driver *d)
{
    const struct texts *t = &d->options.values[OPTION_XCOMPILER];
    for (size_t i = 0; i < t->len && !d->openmp.wanted; i++)
        d->openmp.wanted = !strcmp(t->data[i], "-fopenmp");
    if (!d->openmp.wanted || (d->openmp.library = clang_file(d, "libomp.so")))
        return;
    for (unsigned v = NEWEST; v >= OLDEST; v--)
        if (other_tree(d, v))
            return;
    const char *folder = openmp_header(d);
    if (!folder)
        return; // clang will say what is missing
    d->openmp.over_gcc = true;
    d->openmp.folder = folder;
}

void openmp_add_preprocessor(struct driver *d, struct job *j)
{
    if (!d->openmp.folder)
        return;
    if (d->openmp.over_gcc) {
        job_add(j, "-idirafter");
        job_add(j, openmp_before(d));
    }
    job_add(j, "-idirafter");
    job_add(j, d->openmp.folder);
}

// Host code that the device pass reads must see the same text.
void openmp_add_device(struct driver *d, struct job *j)
{
    if (d->openmp.wanted)
        job_add(j, "-D_OPENMP=202011");
}

static bool is_c(const struct job *j)
{
    for (size_t i = 1; i < j->argv.len; i++)
        if (!strcmp(j->argv.data[i - 1], "-x") && !strcmp(j->argv.data[i], "c"))
            return true;
    return false;
}

static void add_over_gcc(struct driver *d, struct job *j, bool link)
{
    if (!link && is_c(j))
        nvcc_warning("-fopenmp: libomp is not installed (package libomp-%u-dev), so that regions of OpenMP in C run on "
                     "one thread",
                     d->toolkit.clang_version);
    bool serial = link || is_c(j) || d->phase == PHASE_PREPROCESS || d->phase == PHASE_DEPS;
    job_add(j, serial ? "-fopenmp=libgomp" : "-fopenmp=libomp");
    if (serial || j->precompile)
        return;
    job_add(j, "-include");
    job_add(j, "heddle/openmp_runtime.h");
}

void openmp_add_host(struct driver *d, struct job *j, bool link)
{
    const struct texts *t = &d->options.values[OPTION_XCOMPILER];
    bool ours = !strcmp(j->argv.data[0], d->toolkit.clangxx);
    for (size_t i = 0; i < t->len; i++) {
        bool it = !strcmp(t->data[i], "-fopenmp");
        if (it && link && d->openmp.library) {
            job_add(j, d->openmp.library);
            job_add(j, arena_printf(&d->arena, "-Wl,-rpath,%s", folder_of(d, d->openmp.library)));
            if (ours)
                continue;
        }
        if (it && ours && d->openmp.over_gcc)
            add_over_gcc(d, j, link);
        else
            job_add(j, t->data[i]);
    }
}
