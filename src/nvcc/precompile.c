// SPDX-License-Identifier: Apache-2.0
// CUDA's declarations, precompiled. Two thirds of the time of a small source went into reading cuda_runtime.h twice; so
// each pass takes it from a precompiled header in the disk cache, made for the options of the pass when it is first
// needed.
//
//  1. A precompiled header must mean what the headers would mean in the source at hand. Everything that the language or
//  the
//     processor hang on is part of its key: dialect, target, level, options for the host compiler, macros with reserved
//     names. Other macros, and folders of headers, are not: a project has many sets of them, and hardly ever do they
//     touch CUDA's declarations or the system headers below them. Where they do, the source is compiled without: a
//     record beside the precompiled header has the names and the files that would be touched (front/pch.h).
//  2. One process makes them at a time; the others do without in the meantime.
//  3. Headers that changed are seen by size and time, in the record; should the compiler nevertheless reject it, the
//  source
//     is compiled again without.
#include "nvcc/driver.h"
#include "base/os.h"
#include "front/pch.h"
#include "jit/cache/cache.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct maker {
    struct job job;
    const char **result; // where the path of the pass goes
    const char *path, *near, *rule;
    char *record;
};

// Options for the host compiler that say more than how to compile, or name files by the folder that it is started in.
static bool words_are_plain(const struct texts *words)
{
    static const char *const starts[] = {"-i", "-I", "-D", "-U", "-B",          "--sysroot", "-M",
                                         "-E", "-P", "-x", "-o", "-save-temps", "@"};
    for (size_t i = 0; i < words->len; i++)
        if (str_begins_any(words->data[i], starts, sizeof starts / sizeof starts[0]))
            return false;
    return true;
}

// Older clangs take functions of host and device for two definitions of one, in a dialect that has modules.
static bool is_taken(const struct driver *d)
{
    const char *std = options_value(&d->options, OPTION_STD);
    return d->toolkit.clang_version >= 22 || !std || !strstr(std, "++2");
}

static bool is_wanted(const struct driver *d)
{
    const struct options *o = &d->options;
    const char *rule = options_value(o, OPTION_DEPS_FILE);
    struct stat st;
    if (d->no_precompiling || job_dryrun() || options_has(o, OPTION_KEEP) || options_has(o, OPTION_SAVE_TEMPS) ||
        options_has(o, OPTION_LIBDEVICE_DIR) || !is_taken(d))
        return false;
    if (rule && (!strcmp(rule, "-") || (!stat(rule, &st) && !S_ISREG(st.st_mode))))
        return false; // it must be mended afterwards
    return words_are_plain(&o->values[OPTION_XCOMPILER]) && words_are_plain(&o->unknown);
}

static void file_hash(struct hash128 *h, const char *path)
{
    struct stat st;
    hash128_add_text(h, path);
    if (!stat(path, &st)) {
        int64_t facts[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
        hash128_add(h, facts, sizeof facts);
    }
}

static void maker_init(struct driver *d, struct maker *m, const char *source, const struct target *t)
{
    struct hash128 h;
    m->job = (struct job){.phase = "clang (precompile)", .source = source, .precompile = true};
    if (t) {
        arguments_add_device(d, &m->job, source, t);
    } else {
        arguments_add_cuda(d, &m->job, source);
        arguments_add_place(d, &m->job); // cuda_runtime.h defines a constant of it, in every object
        job_add(&m->job, "--cuda-host-only");
        job_add(&m->job, "-c");
        arguments_add_host(d, &m->job);
    }
    // What the headers instantiate of their own templates; else each source would, at its end.
    job_add(&m->job, "-fpch-instantiate-templates");
    hash128_init(&h);
    file_hash(&h, d->toolkit.clangxx);
    static const char *const folders[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}; // clang searches them too
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        hash128_add_text(&h, secure_getenv(folders[i]) ? secure_getenv(folders[i]) : "");
    for (size_t i = 0; i < m->job.argv.len; i++)
        hash128_add_text(&h, m->job.argv.data[i]);
    m->path = front_pch_path(&d->arena, &h);
}

static bool maker_start(struct driver *d, struct maker *m)
{
    m->near = arena_printf(&d->arena, "%s.%ld", m->path, (long)getpid());
    m->rule = job_temp(&d->arena, "precompile", ".d");
    m->job.capture = true;
    front_add_inner(&m->job.argv, "-emit-pch");
    front_add_inner(&m->job.argv, "-fno-pch-timestamp");
    front_add_inner(&m->job.argv, "-fno-temp-file");
    job_add(&m->job, "-w");
    job_add(&m->job, "-MD");
    job_add(&m->job, "-MF");
    job_add(&m->job, m->rule);
    job_add_files(&m->job, m->near, precompile_prelude(d));
    return job_start(&m->job);
}

static void maker_finish(struct maker *m)
{
    char *rule = job_wait(&m->job) ? os_file_read(m->rule, NULL) : NULL;
    // The compiler makes it by the user's mask, which may let a group write to it: such a file is not taken (front/pch.h).
    if (!rule || !front_pch_record(m->path, rule) || chmod(m->near, 0644) || rename(m->near, m->path))
        unlink(m->near);
    else
        m->record = front_pch_check(m->path);
    free(rule);
}

// Makes those that are lacking, all at once; nothing when another process is at it.
static void makers_run(struct driver *d, struct maker *makers, size_t count)
{
    size_t lacking = 0;
    for (size_t i = 0; i < count; i++)
        lacking += makers[i].path && !makers[i].record;
    int lock = lacking ? open(arena_printf(&d->arena, "%s/pch", cache_dir()), O_RDONLY | O_CLOEXEC) : -1;
    if (lock < 0)
        return;
    if (!flock(lock, LOCK_EX | LOCK_NB)) {
        for (size_t i = 0; i < count; i++)
            if (!makers[i].record && !maker_start(d, &makers[i]))
                break;
        for (size_t i = 0; i < count; i++)
            if (makers[i].job.pid)
                maker_finish(&makers[i]);
        front_pch_trim();
    }
    close(lock);
}

static bool macros_are_unused(const struct texts *macros, const char *record)
{
    for (size_t i = 0; i < macros->len; i++)
        if (!arguments_is_reserved(macros->data[i]) &&
            front_pch_has_name(record, macros->data[i], strcspn(macros->data[i], "=(")))
            return false;
    return true;
}

static bool folders_shadow_nothing(const struct driver *d, const struct texts *folders, const char *record)
{
    char path[4096];
    for (size_t i = 0; i < folders->len; i++) {
        snprintf(path, sizeof path, "%s/cuda_runtime.h", folders->data[i]);
        if (!access(path, R_OK)) // another toolkit's, which is searched last
            continue;
        if (strcmp(folders->data[i], d->toolkit.include) && front_pch_is_shadowed(record, folders->data[i]))
            return false;
    }
    return true;
}

const char *precompile_prelude(struct driver *d)
{
    return arena_printf(&d->arena, "%s/heddle/nvcc_prelude.h", d->toolkit.include);
}

void precompile(struct driver *d, const char *source, bool host)
{
    const struct options *o = &d->options;
    size_t count = d->targets.len + host;
    d->host_pch = NULL;
    d->device_pch = arena_array(&d->arena, const char *, d->targets.len);
    memset(d->device_pch, 0, d->targets.len * sizeof *d->device_pch);
    if (!is_wanted(d))
        return;
    struct maker *makers = arena_array(&d->arena, struct maker, count);
    memset(makers, 0, count * sizeof *makers);
    for (size_t i = 0; i < count; i++) {
        struct maker *m = &makers[i];
        m->result = i < d->targets.len ? &d->device_pch[i] : &d->host_pch;
        maker_init(d, m, source, i < d->targets.len ? &d->targets.data[i] : NULL);
        m->record = m->path ? front_pch_check(m->path) : NULL;
    }
    makers_run(d, makers, count);
    for (size_t i = 0; i < count; i++) {
        const char *r = makers[i].record;
        if (r && macros_are_unused(&o->values[OPTION_DEFINE], r) && macros_are_unused(&o->values[OPTION_UNDEFINE], r) &&
            folders_shadow_nothing(d, &o->values[OPTION_INCLUDE_DIR], r) &&
            folders_shadow_nothing(d, &o->values[OPTION_SYSTEM_DIR], r))
            *makers[i].result = makers[i].path;
        free(makers[i].record);
        job_free(&makers[i].job);
    }
}

bool precompile_failed(struct driver *d, const struct job *j)
{
    char *text = j->pch ? job_errors(j) : NULL;
    bool stale = text && front_pch_is_stale(text);
    free(text);
    if (stale) {
        unlink(j->pch);
        d->no_precompiling = true;
    }
    return stale;
}

// Blanks and line ends behind a backslash, which separate prerequisites.
static const char *skip_separator(const char *p)
{
    while (*p == ' ' || (p[0] == '\\' && p[1] == '\n'))
        p += *p == ' ' ? 1 : 2;
    return p;
}

static void trim_separator(struct str *s)
{
    while (s->len && (s->data[s->len - 1] == ' ' || (s->len > 1 && !memcmp(s->data + s->len - 2, "\\\n", 2))))
        s->len -= s->data[s->len - 1] == ' ' ? 1 : 2;
    if (s->data)
        s->data[s->len] = 0;
}

// The rule names the prelude, which is none of the user's business: as a prerequisite or as a phony target. Where clang
// broke the line hangs on the length of the prelude's path, so the break goes with it.
void precompile_mend_rule(struct driver *d, const char *path)
{
    const char *name = precompile_prelude(d);
    char *text = path ? os_file_read(path, NULL) : NULL;
    if (!text || !strstr(text, name)) {
        free(text);
        return;
    }
    struct str out = {0};
    const char *p = text;
    for (const char *q; (q = strstr(p, name));) {
        const char *after = q + strlen(name);
        str_append_n(&out, p, (size_t)(q - p));
        if (*after == ':') {
            after += strspn(after, ":\n");
        } else {
            trim_separator(&out);
            after = skip_separator(after);
            if (*after != '\n')
                str_append(&out, " ");
        }
        p = after;
    }
    str_append(&out, p);
    job_write_file(path, str_text(&out), out.len);
    str_free(&out);
    free(text);
}
