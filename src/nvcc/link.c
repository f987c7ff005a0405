// SPDX-License-Identifier: Apache-2.0
// The last stage: programs, shared libraries and archives. libcudart is linked in unless -cudart says otherwise; a run
// path to the toolkit's lib64 leads to shared libraries, so that a program runs with an empty environment. -lcuda is an archive that
// leads to the driver which libcudart chooses (src/runtime/static/cuda_dispatch.c).
#include "nvcc/driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_library_paths(struct driver *d, struct job *j)
{
    const struct texts *t = &d->options.values[OPTION_LIBRARY_DIR];
    for (size_t i = 0; i < t->len; i++)
        job_add(j, arena_printf(&d->arena, "-L%s", t->data[i]));
    job_add(j, arena_printf(&d->arena, "-L%s", d->toolkit.link)); // the one that build systems see: places_print()
    job_add(j, arena_printf(&d->arena, "-Wl,-L,%s", d->toolkit.lib));
    job_add(j, arena_printf(&d->arena, "-Wl,-rpath,%s", d->toolkit.lib));
    // What libraries need: linkers for other systems do not follow run paths.
    job_add(j, arena_printf(&d->arena, "-Wl,-rpath-link,%s", d->toolkit.lib));
}

static void add_cudart(struct driver *d, struct job *j)
{
    const char *kind = options_value(&d->options, OPTION_CUDART);
    const char *device = options_value(&d->options, OPTION_CUDADEVRT);
    if (!device || strcmp(device, "none"))
        job_add(j, "-lcudadevrt");
    if (kind && !strcmp(kind, "shared")) {
        job_add(j, "-lcudart");
    } else if (!kind || !strcmp(kind, "static")) {
        job_add(j, "-lcudart_static");
        job_add(j, "-ldl");
        job_add(j, "-lpthread");
        job_add(j, "-lrt");
    }
}

bool link_program(struct driver *d, const struct texts *inputs, const char *output)
{
    const struct options *o = &d->options;
    const char *device = NULL;
    if (!options_has(o, OPTION_NO_DLINK) && !rdc_link(d, inputs, NULL, &device))
        return false;
    struct job j = {.phase = "link", .capture = true};
    job_add(&j, d->host_cc);
    const char *base = strrchr(d->host_cc, '/');
    base = base ? base + 1 : d->host_cc;
    bool cxx_linker = strstr(base, "++") != NULL;
    bool relocatable = options_has(o, OPTION_RELOCATABLE_LINK);
    if (options_has(o, OPTION_SHARED))
        job_add(&j, "-shared");
    if (relocatable)
        job_add(&j, "-r");
    if (options_has(o, OPTION_DEBUG) || options_has(o, OPTION_DEVICE_DEBUG))
        job_add(&j, "-g");
    if (options_has(o, OPTION_PROFILE))
        job_add(&j, "-pg");
    job_add(&j, "-Wno-unused-command-line-argument");
    openmp_add_host(d, &j, true);
    if (options_has(o, OPTION_FORWARD_ALL) || options_has(o, OPTION_FORWARD_LINKER) || options_has(o, OPTION_FORWARD))
        job_add_all(&j, &o->unknown);
    job_add(&j, "-o");
    job_add(&j, output);
    add_library_paths(d, &j);
    // Objects before libraries, and all as a group, wherever they stand on the command line.
    if (!relocatable)
        job_add(&j, "-Wl,--start-group");
    for (unsigned libraries = 0; libraries < 2; libraries++)
        for (size_t i = 0; i < inputs->len; i++)
            if ((strncmp(inputs->data[i], "-l", 2) == 0) == (libraries == 1) &&
                !driver_has_suffix(inputs->data[i], ".ptx")) // the device link took those
                job_add(&j, strcmp(inputs->data[i], "-lcuda") ? inputs->data[i] : "-l:libcuda_dispatch.a");
    if (device)
        job_add(&j, device);
    const struct texts *x = &o->values[OPTION_XLINKER];
    for (size_t i = 0; i < x->len; i++) {
        job_add(&j, "-Xlinker");
        job_add(&j, x->data[i]);
    }
    if (!relocatable) {
        add_cudart(d, &j);
        if (!cxx_linker)
            job_add(&j, "-lstdc++");
        job_add(&j, "-lm");
        job_add(&j, "-Wl,--end-group");
    }
    bool ok = job_run(&j);
    char *said = job_errors(&j);
    if (said && *said)
        fputs(said, stderr);
    if (said && !ok)
        hint_print(said);
    free(said);
    if (!ok)
        job_remove_file(output);
    if (!ok && !job_interrupted())
        nvcc_error("'%s' was not linked", output);
    job_free(&j);
    return ok;
}

bool link_library(struct driver *d, const struct texts *objects, const char *output)
{
    struct job j = {.phase = "archive"};
    const char *ar = options_value(&d->options, OPTION_ARBIN);
    job_add(&j, ar ? ar : "ar");
    job_add(&j, "rcs");
    job_add_all(&j, &d->options.values[OPTION_XARCHIVE]);
    job_add(&j, output);
    job_add_all(&j, objects);
    if (!job_dryrun())
        job_remove_file(output);
    bool ok = job_run(&j);
    if (!ok)
        job_remove_file(output);
    job_free(&j);
    return ok;
}
