// SPDX-License-Identifier: Apache-2.0
// One compilation: every module becomes a file that today's LLVM reads (text.h), and clang makes PTX of them. The first is
// the input; the others and the lazy ones are linked to it as bitcode.
#include "base/os.h"
#include "front/front.h"
#include "front/process.h"
#include "nvvm/option.h"
#include "nvvm/program.h"
#include "nvvm/text.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IR_MAJOR 2

struct compilation {
    struct program *program;
    struct arena arena;
    struct nvvm_options options;
    struct ir_options ir;
    struct toolkit toolkit;
    struct front_options front;
    char dir[PATH_MAX]; // of temporary files; empty: none yet
};

static const char *temp(struct compilation *c, const char *name, size_t number)
{
    return arena_printf(&c->arena, "%s/%s-%zu", c->dir, name, number);
}

static bool temp_make(struct compilation *c)
{
    if (os_temp_dir(c->dir, sizeof c->dir, os_temp_base(), "nvvm"))
        return true;
    str_printf(&c->program->log, "libnvvm : error: no temporary folder in '%s': %s", os_temp_base(), strerror(errno));
    return false;
}

static bool file_write(struct compilation *c, const char *path, const char *text, size_t size)
{
    if (os_file_write(path, text, size))
        return true;
    str_printf(&c->program->log, "libnvvm : error: '%s' cannot be written: %s", path, strerror(errno));
    return false;
}

// The tree that this library is in: its folder is nvvm/lib64, whatever link led to it.
static bool toolkit_find(struct compilation *c)
{
    char dir[PATH_MAX], file[PATH_MAX], real[PATH_MAX];
    struct str message = {0};
    bool found = os_self_dir((const void *)(uintptr_t)toolkit_find, dir, sizeof dir) &&
                 snprintf(file, sizeof file, "%s/libnvvm.so.4", dir) < (int)sizeof file && realpath(file, real);
    for (int up = 0; found && up < 3; up++) {
        char *slash = strrchr(real, '/');
        if (slash)
            *slash = 0;
    }
    if (!found)
        str_append(&message, "the folder of libnvvm is not known");
    found = found && toolkit_init(&c->toolkit, &c->arena, real, NULL, &message);
    if (!found)
        str_printf(&c->program->log, "libnvvm : error: %s", str_text(&message));
    str_free(&message);
    return found;
}

// clang names a place as "file:line:column: error: text"; libnvvm says "name (line, column): parse text".
static void log_take(struct compilation *c, const char *messages, const char *file, const char *name)
{
    struct str *log = &c->program->log;
    size_t n = strlen(file);
    for (const char *line = messages; *line;) {
        size_t length = strcspn(line, "\n");
        unsigned row, column;
        int used = 0;
        if (!strncmp(line, file, n) && sscanf(line + n, ":%u:%u: error: %n", &row, &column, &used) == 2 && used) {
            str_printf(log, "%s%s (%u, %u): parse %.*s", log->len ? "\n" : "", name, row, column - (column > 0),
                       (int)(length - n - (size_t)used), line + n + used);
        } else if (memmem(line, length, "error: ", 7)) {
            str_printf(log, "%s%.*s", log->len ? "\n" : "", (int)length, line);
        }
        line += length + (line[length] == '\n');
    }
}

static nvvmResult run(struct compilation *c, const struct texts *argv, const char *output, const char *file,
                      const char *name, nvvmResult wrong)
{
    const char *messages = temp(c, "messages", 0);
    int status = process_run(argv, messages, NULL, NULL);
    if (status == PROCESS_NOT_STARTED && errno == ENOMEM)
        return NVVM_ERROR_OUT_OF_MEMORY;
    if (status == PROCESS_NOT_STARTED) {
        str_printf(&c->program->log, "libnvvm : error: '%s' cannot be run: %s", argv->data[0], strerror(errno));
        return NVVM_ERROR_COMPILATION;
    }
    char *text = os_file_read(messages, NULL);
    if (status == PROCESS_UNKNOWN)
        status = access(output, R_OK) ? 1 : 0;
    if (status) {
        size_t before = c->program->log.len;
        log_take(c, text ? text : "", file, name);
        if (c->program->log.len == before)
            str_printf(&c->program->log, "%s: error: the compiler ended with status %d", name, status);
    }
    free(text);
    return status == 0 ? NVVM_SUCCESS : wrong;
}

// Without optimising: from text to bitcode, or the other way.
static nvvmResult convert(struct compilation *c, const char *in, const char *out, bool text, const char *name,
                          nvvmResult wrong)
{
    struct texts argv = {0};
    front_add_module(&argv, &c->toolkit, &c->front, &c->options.target);
    vec_push(&argv, in);
    if (text)
        vec_push(&argv, "-emit-llvm");
    else
        front_add_inner(&argv, "-emit-llvm-bc");
    front_add_inner(&argv, "-disable-llvm-passes");
    vec_push(&argv, "-w");
    vec_push(&argv, "-o");
    vec_push(&argv, out);
    nvvmResult r = run(c, &argv, out, in, name, wrong);
    vec_free(&argv);
    return r;
}

static bool is_bitcode(const char *data, size_t size)
{
    return size >= 4 && (!memcmp(data, "BC\xc0\xde", 4) || !memcmp(data, "\xde\xc0\x17\x0b", 4));
}

// The module as a file: text that LLVM reads where it is not lazy, else bitcode as it came.
static nvvmResult module_write(struct compilation *c, size_t i, const char **file, bool *text, nvvmResult wrong)
{
    const struct module *m = &c->program->modules.data[i];
    bool bitcode = is_bitcode(m->data, m->size);
    unsigned major, minor;
    *file = temp(c, bitcode ? "module.bc" : "module.ll", i);
    *text = !bitcode;
    if (bitcode && !file_write(c, *file, m->data, m->size))
        return NVVM_ERROR_COMPILATION;
    if (bitcode && m->lazy)
        return NVVM_SUCCESS;
    char *read = NULL;
    if (bitcode) {
        const char *shown = temp(c, "shown.ll", i);
        nvvmResult r = convert(c, *file, shown, true, m->name, wrong);
        if (r)
            return r;
        read = os_file_read(shown, NULL);
        *file = temp(c, "module.ll", i);
        *text = true;
    }
    const char *ir = read ? read : m->data;
    ir_version(ir, &major, &minor);
    struct str out = {0};
    ir_upgrade(&out, ir, &c->ir);
    free(read);
    bool ok = file_write(c, *file, out.data, out.len);
    str_free(&out);
    if (!ok)
        return NVVM_ERROR_COMPILATION;
    // What cannot be read is told first.
    if (major != IR_MAJOR && !m->lazy) {
        nvvmResult r = convert(c, *file, temp(c, "checked", i), true, m->name, wrong);
        if (r)
            return r;
        str_printf(&c->program->log,
                   "IR version %u.%u incompatible with current version %d.0\n%s: error: incompatible IR detected. "
                   "Possible mix of compiler/IR from different releases.",
                   major, minor, IR_MAJOR, m->name);
        return NVVM_ERROR_IR_VERSION_MISMATCH;
    }
    return NVVM_SUCCESS;
}

// A function of LLVM's that no target has is left as a call.
static nvvmResult unknown_find(struct compilation *c, const char *ptx)
{
    for (const char *p = ptx; (p = strstr(p, ".extern .func ")); p++) {
        const char *end = p + strcspn(p, ";"), *name = strstr(p, "llvm.");
        if (name && name < end) {
            str_printf(&c->program->log, "libnvvm : error: the intrinsic function %.*s is not supported",
                       (int)strcspn(name, "( \n"), name);
            return NVVM_ERROR_COMPILATION;
        }
    }
    return NVVM_SUCCESS;
}

static nvvmResult compile(struct compilation *c)
{
    struct program *p = c->program;
    const char *first = NULL, *first_name = NULL, *ptx = temp(c, "out.ptx", 0);
    struct texts argv = {0}, linked = {0};
    nvvmResult r = NVVM_SUCCESS;
    for (size_t i = 0; !r && i < p->modules.len; i++) {
        const struct module *m = &p->modules.data[i];
        const char *file;
        bool text;
        r = module_write(c, i, &file, &text, NVVM_ERROR_COMPILATION);
        if (r)
            break;
        if (!m->lazy && !first) {
            first = file;
            first_name = m->name;
            continue;
        }
        if (text) {
            const char *made = temp(c, "linked.bc", i);
            r = convert(c, file, made, false, m->name, NVVM_ERROR_COMPILATION);
            file = made;
        }
        front_add_inner(&linked, m->lazy ? "-mlink-builtin-bitcode" : "-mlink-bitcode-file");
        front_add_inner(&linked, file);
    }
    if (!r && !first) {
        str_append(&p->log, "libnvvm : error: all modules are lazy");
        r = NVVM_ERROR_NO_MODULE_IN_PROGRAM;
    }
    if (!r) {
        front_add_module(&argv, &c->toolkit, &c->front, &c->options.target);
        vec_push(&argv, first);
        for (size_t i = 0; i < linked.len; i++)
            vec_push(&argv, linked.data[i]);
        vec_push(&argv, "-w");
        vec_push(&argv, "-o");
        vec_push(&argv, ptx);
        r = run(c, &argv, ptx, first, first_name, NVVM_ERROR_COMPILATION);
    }
    char *text = r ? NULL : os_file_read(ptx, NULL);
    if (!r && !text) {
        str_printf(&p->log, "libnvvm : error: the compiler's output cannot be read: %s", strerror(errno));
        r = NVVM_ERROR_COMPILATION;
    }
    if (!r)
        r = unknown_find(c, text);
    if (!r && c->options.values[NVVM_MAXREG] > 0) {
        size_t size;
        char *limited = front_ptx_limit_registers(text, (unsigned long)c->options.values[NVVM_MAXREG], &size);
        free(text);
        text = limited;
    }
    if (!r && c->options.given[NVVM_GEN_LTO])
        str_append(&p->ptx, FRONT_LTO_LINE);
    if (!r)
        front_stores_mend(text, &p->ptx);
    free(text);
    vec_free(&argv);
    vec_free(&linked);
    return r;
}

static nvvmResult verify(struct compilation *c)
{
    struct program *p = c->program;
    nvvmResult r = NVVM_SUCCESS;
    for (size_t i = 0; !r && i < p->modules.len; i++) {
        const char *file;
        bool text;
        r = module_write(c, i, &file, &text, NVVM_ERROR_INVALID_IR);
        if (!r)
            r = convert(c, file, temp(c, "checked", i), true, p->modules.data[i].name, NVVM_ERROR_INVALID_IR);
    }
    return r;
}

static void options_apply(struct compilation *c)
{
    const struct nvvm_options *o = &c->options;
    bool debug = o->given[NVVM_DEBUG];
    long level = o->given[NVVM_OPT] ? o->values[NVVM_OPT] : 3;
    c->ir = (struct ir_options){
        .ftz = nvvm_option_on(o, NVVM_FTZ, false),
        .fma = nvvm_option_on(o, NVVM_FMA, true),
        .debug = debug,
        .line_info = o->given[NVVM_LINE_INFO],
    };
    c->front = (struct front_options){
        .std = "c++17",
        .unit = "nvvm",
        .device_debug = level <= 0,
        .prec_div = nvvm_option_on(o, NVVM_PREC_DIV, true),
        .prec_sqrt = nvvm_option_on(o, NVVM_PREC_SQRT, true),
        .level = level < 3 && level > 0 ? (unsigned)level : 3,
    };
}

nvvmResult program_compile(struct program *p, int count, const char *const *options, bool only_verify)
{
    struct compilation c = {.program = p};
    nvvmResult r;
    str_free(&p->log);
    if (!only_verify)
        str_free(&p->ptx);
    arena_init(&c.arena);
    if (!p->modules.len)
        r = NVVM_ERROR_NO_MODULE_IN_PROGRAM;
    else if (!nvvm_options_read(&c.options, count, options, &p->log))
        r = NVVM_ERROR_INVALID_OPTION;
    else if (!toolkit_find(&c) || !temp_make(&c))
        r = NVVM_ERROR_COMPILATION;
    else {
        options_apply(&c);
        r = only_verify ? verify(&c) : compile(&c);
        os_folder_remove(c.dir);
    }
    arena_fini(&c.arena);
    return r;
}
