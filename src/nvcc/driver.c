// Sets up one run of the compiler driver: everything of the toolkit is found from the place of the program itself.
#include "nvcc/driver.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    if (ok && !d->toolkit.devmath && options_has(&d->options, OPTION_VERBOSE))
        fprintf(stderr, "nvcc: warning: the device math library is absent\n");
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
        {OPTION_DEPS, PHASE_DEPS},   {OPTION_DEPS_USER, PHASE_DEPS},
    };
    if (options_has(&d->options, OPTION_CUDA_TEXT))
        return nvcc_error("-cuda is not supported: launches become calls within the compiler, never as C++ text");
    d->phase = PHASE_LINK;
    bool found = false;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (!options_has(&d->options, table[i].id))
            continue;
        if (found && d->phase != table[i].phase && table[i].phase != PHASE_DEPS && table[i].phase != PHASE_PREPROCESS)
            return nvcc_error("more than one of -c, -ptx, -cubin, -fatbin, -dlink and -lib was given");
        d->phase = table[i].phase;
        found = true;
    }
    return true;
}

static bool value_check(struct driver *d, enum option_id id, const char *name, const char *const *allowed)
{
    const char *v = options_value(&d->options, id);
    if (!v)
        return true;
    for (; *allowed; allowed++)
        if (!strcmp(v, *allowed))
            return true;
    return nvcc_error("'%s' is no value of '%s'", v, name);
}

static bool values_check(struct driver *d)
{
    static const char *const cudart[] = {"shared", "static", "none", NULL};
    static const char *const machine[] = {"64", NULL};
    static const char *const stream[] = {"legacy", "null", "per-thread", NULL};
    static const char *const optimise[] = {"0", "1", "2", "3", NULL};
    static const char *const std[] = {"c++03", "c++11",   "c++14",   "c++17",   "c++20",   "c++23",
                                      "c++2a", "gnu++11", "gnu++14", "gnu++17", "gnu++20", "c99",
                                      "c11",   "c17",     "gnu11",   "gnu99",   NULL};
    static const char *const language[] = {"c", "c++", "cu", NULL};
    return value_check(d, OPTION_CUDART, "-cudart", cudart) && value_check(d, OPTION_MACHINE, "-m", machine) &&
           value_check(d, OPTION_DEFAULT_STREAM, "-default-stream", stream) &&
           value_check(d, OPTION_OPTIMIZE, "-O", optimise) && value_check(d, OPTION_STD, "-std", std) &&
           value_check(d, OPTION_LANGUAGE, "-x", language);
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
    if (!values_check(d) || !phase_find(d) || !targets_read(&d->targets, &d->options) || !toolkit_find(d))
        return false;
    const char *ccbin = options_value(&d->options, OPTION_CCBIN);
    d->host_cc = ccbin ? ccbin : d->toolkit.clangxx;
    d->rdc = options_bool(&d->options, OPTION_RDC, false) || options_has(&d->options, OPTION_DC);
    return true;
}

void driver_fini(struct driver *d)
{
    vec_free(&d->targets);
    options_fini(&d->options);
    arena_fini(&d->arena);
}
