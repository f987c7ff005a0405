// SPDX-License-Identifier: Apache-2.0
// See target.h.
#include "nvcc/target.h"
#include "base/env.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SM 75

// What "all" and "all-major" stand for: our device takes the best that is not above it, and a newer GPU takes the last.
static const unsigned all_targets[] = {75, 80, 90};

// Older targets are taken as well; build systems that build for all that are listed need not know them.
void targets_print_list(bool virtual, bool real)
{
    const unsigned *numbers;
    size_t n = target_list(&numbers);
    for (size_t i = 0; i < n; i++)
        if (numbers[i] >= DEFAULT_SM)
            virtual &&real ? printf("arch=compute_%u,code=sm_%u\n", numbers[i], numbers[i])
                           : printf("%s_%u\n", virtual ? "compute" : "sm", numbers[i]);
}

static void target_add(struct targets *t, struct target new)
{
    size_t at = t->len;
    for (size_t i = 0; i < t->len; i++)
        if (t->data[i].sm == new.sm && !strcmp(t->data[i].suffix, new.suffix))
            return;
    vec_push(t, new);
    for (; at && t->data[at - 1].sm > new.sm; at--)
        t->data[at] = t->data[at - 1];
    t->data[at] = new;
}

// Devices of before 2012 are known to no compiler any more: projects of those years are compiled for the oldest one left.
static const char *target_known(const char *text)
{
    static const char *const older[] = {"10", "11", "12", "13", "20", "21"};
    const char *number = !strncmp(text, "sm_", 3) ? text + 3 : !strncmp(text, "compute_", 8) ? text + 8 : "";
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++)
        if (!strcmp(number, older[i]))
            return *text == 's' ? "sm_30" : "compute_30";
    return text;
}

static bool target_read(struct target *out, const char *text)
{
    return target_parse(out, target_known(text)) ||
           nvcc_error("unsupported gpu architecture '%s'; --list-gpu-code lists them", text);
}

static bool is_virtual(const char *text)
{
    return !strncmp(text, "compute_", 8);
}

// A code that is made from the PTX of arch: at least as new, and the same kind where arch has a letter.
static bool code_check(const char *arch, const char *code)
{
    struct target from, to;
    if (!target_read(&from, arch) || !target_read(&to, code))
        return false;
    if (!is_virtual(arch))
        return nvcc_error("'%s' as architecture must be a virtual one, compute_%u%s", arch, from.sm, from.suffix);
    bool fits = from.suffix[0] == 'a'   ? to.sm == from.sm && to.suffix[0] == 'a'
                : from.suffix[0] == 'f' ? to.sm / 10 == from.sm / 10 && to.sm >= from.sm
                                        : to.sm >= from.sm;
    return fits || nvcc_error("code '%s' cannot be made from architecture '%s'", code, arch);
}

static bool arch_add(struct targets *t, const char *arch)
{
    if (!strcmp(arch, "all") || !strcmp(arch, "all-major")) {
        for (size_t i = 0; i < sizeof all_targets / sizeof all_targets[0]; i++)
            target_add(t, (struct target){all_targets[i], ""});
        return true;
    }
    if (!strcmp(arch, "native")) {
        unsigned major = 9, minor = 0;
        sscanf(env_get("HEDDLE_CC"), "%u.%u", &major, &minor);
        arch = major * 10 + minor < 30 ? "sm_90" : NULL;
        if (!arch) {
            target_add(t, (struct target){major * 10 + minor, ""});
            return true;
        }
    }
    struct target one;
    if (!target_read(&one, arch))
        return false;
    target_add(t, one);
    return true;
}

// "arch=compute_80,code=[sm_80,compute_80]": each code must fit the arch, and the PTX is that of the arch.
static bool gencode_add(struct targets *t, const struct options *o, const char *text)
{
    char *copy = arena_strdup(o->arena, text);
    for (char *p = copy; *p; p++)
        if (*p == '"' || *p == '\'' || *p == '[' || *p == ']')
            *p = ' ';
    const char *arch = NULL;
    struct texts codes = {0};
    bool in_code = false, ok = true;
    for (char *word = strtok(copy, ", "); ok && word; word = strtok(NULL, ", ")) {
        if (!strncmp(word, "arch=", 5)) {
            arch = word + 5;
        } else if (!strncmp(word, "code=", 5)) {
            in_code = true;
            if (word[5])
                vec_push(&codes, word + 5);
        } else if (in_code) {
            vec_push(&codes, word);
        } else {
            ok = nvcc_error("'-gencode %s': arch=compute_NN,code=sm_NN is expected", text);
        }
    }
    if (ok && (!arch || !codes.len))
        ok = nvcc_error("'-gencode %s' names no %s", text, arch ? "code" : "arch");
    for (size_t i = 0; ok && i < codes.len; i++)
        ok = code_check(arch, codes.data[i]);
    vec_free(&codes);
    return ok && arch_add(t, arch);
}

bool targets_read(struct targets *t, const struct options *o)
{
    const struct texts *list = &o->values[OPTION_GENCODE];
    for (size_t i = 0; i < list->len; i++)
        if (!gencode_add(t, o, list->data[i]))
            return false;
    const struct texts *codes = &o->values[OPTION_CODE];
    const char *arch = options_value(o, OPTION_ARCH);
    if (!arch && codes->len)
        return nvcc_error("'-code' needs '-arch'");
    for (size_t i = 0; i < codes->len; i++)
        if (!code_check(arch, codes->data[i]))
            return false;
    if (arch && !arch_add(t, arch))
        return false;
    if (!t->len)
        target_add(t, (struct target){DEFAULT_SM, ""});
    return true;
}
