// SPDX-License-Identifier: Apache-2.0
// Sets up one run of the compiler driver: everything of the toolkit is found from the place of the program itself.
#include "nvcc/driver.h"
#include "front/ptx/assemble.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The names that toolkits have for the tree of this machine.
#if defined(__aarch64__)
#define HOST_TREE       "sbsa-linux"
#define HOST_TREE_OTHER "aarch64-linux"
#else
#define HOST_TREE       "x86_64-linux"
#define HOST_TREE_OTHER HOST_TREE
#endif

bool driver_has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && !strcmp(path + n - m, suffix);
}

const char *driver_stem(struct driver *d, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return arena_strndup(&d->arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

const char *driver_output(struct driver *d)
{
    const char *given = options_value(&d->options, OPTION_OUTPUT);
    return given && !strcmp(given, "-") ? "./-" : given;
}

bool driver_source_is_cuda(const struct driver *d, const char *path)
{
    const char *x = options_value(&d->options, OPTION_LANGUAGE);
    if (driver_has_suffix(path, ".cu"))
        return !x || !strcmp(x, "cu");
    return x && !strcmp(x, "cu") && driver_source_is_host(d, path);
}

bool driver_source_is_host(const struct driver *d, const char *path)
{
    static const char *const suffixes[] = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".i", ".ii", ".s", ".S"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (driver_has_suffix(path, suffixes[i]))
            return true;
    static const char *const others[] = {".o", ".obj", ".a", ".so", ".ptx", ".cubin", ".fatbin"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (driver_has_suffix(path, others[i]) || strstr(path, ".so."))
            return false;
    return path[0] != '-' && options_has(&d->options, OPTION_LANGUAGE); // -x names the language of any file
}

static bool toolkit_find(struct driver *d)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return nvcc_error("/proc/self/exe cannot be read");
    self[n] = 0;
    for (int i = 0; i < 2; i++) { // off with the name, then with bin
        char *slash = strrchr(self, '/');
        if (slash)
            *slash = 0;
    }
    struct str message = {0};
    bool ok = toolkit_init(&d->toolkit, &d->arena, self, options_value(&d->options, OPTION_LIBDEVICE_DIR), &message);
    if (!ok)
        nvcc_error("%s", str_text(&message));
    str_free(&message);
    const char *runtime = options_value(&d->options, OPTION_CUDADEVRT);
    if (runtime && !strcmp(runtime, "none"))
        d->toolkit.devrt = NULL;
    if (ok && !d->toolkit.devmath && options_has(&d->options, OPTION_VERBOSE))
        nvcc_warning("the device math library is absent");
    return ok;
}

static bool phase_find(struct driver *d)
{
    static const struct {
        enum option_id id;
        enum phase phase;
    } table[] = {
        {OPTION_LIB, PHASE_LIB},     {OPTION_DLINK, PHASE_DLINK},    {OPTION_COMPILE, PHASE_OBJECT},
        {OPTION_DC, PHASE_OBJECT},   {OPTION_DW, PHASE_OBJECT},      {OPTION_FATBIN, PHASE_FATBIN},
        {OPTION_CUBIN, PHASE_CUBIN}, {OPTION_PTX, PHASE_PTX},        {OPTION_PREPROCESS, PHASE_PREPROCESS},
        {OPTION_DEPS, PHASE_DEPS},   {OPTION_DEPS_USER, PHASE_DEPS}, {OPTION_CUDA_TEXT, PHASE_TEXT},
    };
    d->phase = PHASE_LINK;
    bool found = false;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (!options_has(&d->options, table[i].id))
            continue;
        if (found && d->phase != table[i].phase && table[i].phase != PHASE_DEPS && table[i].phase != PHASE_PREPROCESS)
            return nvcc_error("more than one of -c, -cuda, -ptx, -cubin, -fatbin, -dlink and -lib was given");
        d->phase = table[i].phase;
        found = true;
    }
    return true;
}

static bool ptxas_options_check(const struct options *o)
{
    const struct texts *t = &o->values[OPTION_XPTXAS];
    for (size_t i = 0; i < t->len; i++) {
        bool value;
        const char *refused;
        if (!front_ptxas_option(t->data[i], &value, &refused))
            return nvcc_error("'-Xptxas %s': the assembler has no such option", t->data[i]);
        if (refused)
            return nvcc_error("'-Xptxas %s' is not supported: %s", t->data[i], refused);
        i += value;
    }
    return true;
}

// Values and combinations that the table of options does not tell.
static bool options_check(struct driver *d)
{
    const struct options *o = &d->options;
    const char *script = options_value(o, OPTION_LINKER_SCRIPT), *tree = options_value(o, OPTION_TARGET_DIR);
    const char *output = options_value(o, OPTION_OUTPUT);
    bool deps_also = options_has(o, OPTION_DEPS_ALSO) || options_has(o, OPTION_DEPS_USER_ALSO);
    if (script && !strcmp(script, "gen-lcs"))
        return nvcc_error("option '--host-linker-script=gen-lcs' is not supported: no linker script is needed");
    if (options_bool(o, OPTION_STACK_PROTECTOR, false))
        return nvcc_error("option '--device-stack-protector=true' is not supported: kernels have no stack canaries");
    if (tree && strcmp(tree, HOST_TREE) && strcmp(tree, HOST_TREE_OTHER))
        return nvcc_error("option '--target-directory=%s': this toolkit has %s alone", tree, HOST_TREE);
    if (output && !strcmp(output, "-") && d->phase == PHASE_OBJECT)
        return nvcc_error("an object cannot be written to standard output");
    if (deps_also && d->phase == PHASE_PREPROCESS)
        return nvcc_error("'-MD' and '-MMD' do not go with '-E'");
    if (options_has(o, OPTION_DEPS_FILE) && !deps_also && d->phase != PHASE_DEPS)
        return nvcc_error("'-MF' needs '-M', '-MM', '-MD' or '-MMD'");
    if (options_has(o, OPTION_SRC_IN_PTX) && !options_has(o, OPTION_LINEINFO) && !options_has(o, OPTION_DEVICE_DEBUG))
        return nvcc_error("'--source-in-ptx' needs '-lineinfo' or '-G'");
    return ptxas_options_check(o);
}

// The host compiler is a program, or a folder that has one.
static bool host_compiler_find(struct driver *d)
{
    const char *ccbin = options_value(&d->options, OPTION_CCBIN);
    struct stat st;
    ccbin = ccbin ? ccbin : secure_getenv("NVCC_CCBIN");
    d->host_cc = d->toolkit.clangxx;
    if (!ccbin || !*ccbin)
        return true;
    d->host_cc = !stat(ccbin, &st) && S_ISDIR(st.st_mode) ? arena_printf(&d->arena, "%s/g++", ccbin) : ccbin;
    d->host_cc_given = true;
    return toolkit_program(&d->arena, d->host_cc) || nvcc_error("the host compiler '%s' was not found", d->host_cc);
}

bool driver_init(struct driver *d, int argc, char **argv)
{
    arena_init(&d->arena);
    d->options.arena = &d->arena;
    if (!options_read(&d->options, argc, argv))
        return false;
    if (options_has(&d->options, OPTION_HELP) || options_has(&d->options, OPTION_VERSION) ||
        options_has(&d->options, OPTION_LIST_ARCH) || options_has(&d->options, OPTION_LIST_CODE))
        return true; // needs no compiler
    if (!phase_find(d) || !options_check(d) || !targets_read(&d->targets, &d->options) || !toolkit_find(d) ||
        !host_compiler_find(d))
        return false;
    static const enum option_id relocatable[] = {OPTION_DC, OPTION_EWP, OPTION_LTO, OPTION_LTO_SHORT};
    d->rdc = options_bool(&d->options, OPTION_RDC, false);
    for (size_t i = 0; i < sizeof relocatable / sizeof relocatable[0]; i++)
        d->rdc |= options_has(&d->options, relocatable[i]);
    openmp_find(d);
    return true;
}

void driver_fini(struct driver *d)
{
    vec_free(&d->targets);
    options_fini(&d->options);
    arena_fini(&d->arena);
}
