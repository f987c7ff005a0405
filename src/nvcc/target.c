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

void targets_print_list(const char *prefix)
{
    const unsigned *numbers;
    size_t n = target_list(&numbers);
    for (size_t i = 0; i < n; i++)
        printf("%s_%u\n", prefix, numbers[i]);
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

static bool target_read(struct target *out, const char *text)
{
    return target_parse(out, text) || nvcc_error("'%s' is no target; --list-gpu-code lists them", text);
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

// "arch=compute_80,code=[sm_80,compute_80]": each code must be a target, and the PTX is that of the arch.
static bool gencode_add(struct targets *t, const struct options *o, const char *text)
{
    char *copy = arena_strdup(o->arena, text);
    for (char *p = copy; *p; p++)
        if (*p == '"' || *p == '\'' || *p == '[' || *p == ']')
            *p = ' ';
    const char *arch = NULL;
    bool in_code = false;
    for (char *word = strtok(copy, ", "); word; word = strtok(NULL, ", ")) {
        struct target one;
        if (!strncmp(word, "arch=", 5)) {
            arch = word + 5;
            continue;
        }
        if (!strncmp(word, "code=", 5)) {
            in_code = true;
            word += 5;
        } else if (!in_code) {
            return nvcc_error("'-gencode %s': arch=compute_NN,code=sm_NN is expected", text);
        }
        if (*word && !target_read(&one, word))
            return false;
    }
    if (!arch)
        return nvcc_error("'-gencode %s' names no arch", text);
    return arch_add(t, arch);
}

bool targets_read(struct targets *t, const struct options *o)
{
    const struct texts *list = &o->values[OPTION_GENCODE];
    for (size_t i = 0; i < list->len; i++)
        if (!gencode_add(t, o, list->data[i]))
            return false;
    const struct texts *codes = &o->values[OPTION_CODE];
    struct target one;
    for (size_t i = 0; i < codes->len; i++)
        if (!target_read(&one, codes->data[i]))
            return false;
    const char *arch = options_value(o, OPTION_ARCH);
    if (arch && !arch_add(t, arch))
        return false;
    if (!arch && codes->len)
        return nvcc_error("-code needs -arch");
    if (!t->len)
        target_add(t, (struct target){DEFAULT_SM, ""});
    return true;
}
