// SPDX-License-Identifier: Apache-2.0
// The assembler's options, as words: for -Xptxas, and for the libraries that assemble.
#include "front/ptx/assemble.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIND_FLAG, KIND_VALUE, KIND_LIST, KIND_LEVEL, KIND_JOINED };
enum { STATUS_DONE, STATUS_NONE, STATUS_REFUSED };
enum option {
#define OPT(id, long_name, short_name, kind, status, help) OPT_##id,
#include "front/ptx/ptxas.def"
#undef OPT
    OPT_COUNT
};
static const struct row {
    const char *long_name, *short_name;
    int kind, status;
    const char *help;
} options[] = {
#define OPT(id, long_name, short_name, kind, status, help) {long_name, short_name, KIND_##kind, STATUS_##status, help},
#include "front/ptx/ptxas.def"
#undef OPT
};

// The row of a word; *rest is what stands behind the name, from '=' on or where a level touches it.
static const struct row *row_find(const char *word, const char **rest)
{
    if (word[0] != '-')
        return NULL;
    bool two = word[1] == '-';
    const char *name = word + 1 + two;
    size_t n = strcspn(name, "=");
    for (size_t i = 0; *name && i < OPT_COUNT; i++) {
        const char *own = two ? options[i].long_name : options[i].short_name;
        bool whole = str_is(name, n, own);
        if (!whole && (two || options[i].kind != KIND_LEVEL || strncmp(own, name, strlen(own)) != 0))
            continue;
        *rest = name + (whole ? n : strlen(own));
        return &options[i];
    }
    return NULL;
}

bool front_ptxas_option(const char *word, bool *value, const char **refused)
{
    const char *rest;
    const struct row *r = row_find(word, &rest);
    *value = r && r->kind != KIND_FLAG && !*rest;
    *refused = r && r->status == STATUS_REFUSED ? r->help : NULL;
    return r != NULL;
}

// ---- words of libraries
struct values {
    const char *last[OPT_COUNT]; // NULL: not given
};

static bool is_of_tool(enum option id)
{
    return id == OPT_OUTPUT || id == OPT_INPUT_TEXT || id == OPT_OPTIONS_FILE || id == OPT_VERSION || id == OPT_HELP;
}

static bool word_read(struct front_ptxas *p, struct arena *a, struct values *v, const char *const *words, size_t n,
                      size_t *i, struct str *message)
{
    const char *word = words[*i] ? words[*i] : "", *rest = "", *value = NULL;
    const struct row *r = row_find(word, &rest);
    if (!r || is_of_tool((enum option)(r - options))) {
        str_printf(message, "ptxas fatal   : Unknown option '%s'\n", word + strspn(word, "-"));
        return false;
    }
    if (r->status == STATUS_REFUSED) {
        str_printf(message, "ptxas fatal   : option '%s' is not supported: %s\n", word, r->help);
        return false;
    }
    if (*rest)
        value = rest + (*rest == '=');
    else if (r->kind != KIND_FLAG && *i + 1 < n)
        value = words[++*i];
    if ((r->kind == KIND_FLAG) == (value != NULL)) {
        str_printf(message, "ptxas fatal   : option '%s' %s\n", word, value ? "takes no value" : "needs a value");
        return false;
    }
    v->last[r - options] = value ? arena_strdup(a, value) : "";
    if (r - options == OPT_ENTRY) {
        char *save, *copy = arena_strdup(a, value);
        for (char *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save))
            vec_push(&p->kernels, item);
    }
    return true;
}

bool front_ptxas_read(struct front_ptxas *p, struct arena *a, const char *const *words, size_t n, struct str *message)
{
    struct values v = {{0}};
    *p = (struct front_ptxas){0};
    for (size_t i = 0; i < n; i++)
        if (!word_read(p, a, &v, words, n, &i, message))
            return false;
    const char *arch = v.last[OPT_ARCH];
    p->verbose = v.last[OPT_VERBOSE] != NULL;
    p->quiet = v.last[OPT_WARNINGS_OFF] != NULL;
    p->strict = v.last[OPT_WERROR] != NULL;
    p->assembly = (struct front_assembly){
        .registers = v.last[OPT_MAXRREG] ? strtoul(v.last[OPT_MAXRREG], NULL, 10) : 0, // archmax, archmin: no limit
        .debug = v.last[OPT_DEBUG] != NULL,
        .complete = !v.last[OPT_COMPILE_ONLY] && !v.last[OPT_EWP],
        .warn_local = v.last[OPT_WARN_LMEM] != NULL,
        .warn_double = v.last[OPT_WARN_DOUBLE] != NULL,
    };
    if (arch && !target_parse(&p->assembly.target, arch)) {
        str_printf(message, "ptxas fatal   : Value '%s' is not defined for option 'gpu-name'\n", arch);
        return false;
    }
    return true;
}

void front_ptxas_fini(struct front_ptxas *p)
{
    vec_free(&p->kernels);
}

bool front_ptxas_run(const struct front_ptxas *p, struct str *image, struct str *report, struct str *said)
{
    struct front_assembly a = p->assembly;
    struct diag d;
    a.kernels = &p->kernels;
    diag_init(&d, a.name);
    bool ok = front_assemble(&a, image, p->verbose ? report : NULL, &d);
    if (!p->quiet || !ok)
        front_messages(said, "ptxas", str_text(&d.text));
    if (ok && d.warnings && p->strict) {
        str_append(said, "ptxas fatal   : warnings are treated as errors\n");
        ok = false;
    } else if (!ok) {
        str_printf(said, "ptxas fatal   : '%s' was not assembled\n", a.name);
    }
    diag_fini(&d);
    return ok;
}
