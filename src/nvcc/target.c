// See target.h.
#include "nvcc/target.h"
#include "base/env.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SM 75

// Each target with the first PTX version that knows it. Versions before 8.5 are not worth a difference of ours.
static const struct {
    unsigned sm;
    const char *feature;
} target_table[] = {
    {30, "ptx85"}, {32, "ptx85"},  {35, "ptx85"},  {37, "ptx85"},  {50, "ptx85"},  {52, "ptx85"},
    {53, "ptx85"}, {60, "ptx85"},  {61, "ptx85"},  {62, "ptx85"},  {70, "ptx85"},  {72, "ptx85"},
    {75, "ptx85"}, {80, "ptx85"},  {86, "ptx85"},  {87, "ptx85"},  {88, "ptx90"},  {89, "ptx85"},
    {90, "ptx85"}, {100, "ptx86"}, {103, "ptx88"}, {110, "ptx90"}, {120, "ptx87"}, {121, "ptx88"},
};
#define TARGET_ROWS (sizeof target_table / sizeof target_table[0])
// What "all" and "all-major" stand for: our device takes the best that is not above it, and a newer GPU takes the last.
static const unsigned all_targets[] = {75, 80, 90};

const char *target_ptx_feature(const struct target *t)
{
    for (size_t i = 0; i < TARGET_ROWS; i++)
        if (target_table[i].sm == t->sm)
            return t->suffix[0] == 'f' ? "ptx88" : target_table[i].feature;
    return "ptx85";
}

void targets_print_list(const char *prefix)
{
    for (size_t i = 0; i < TARGET_ROWS; i++)
        printf("%s_%u\n", prefix, target_table[i].sm);
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

// "sm_80", "compute_90a", "lto_80": the number and the letter behind it.
static bool target_parse(struct target *out, const char *text)
{
    const char *p = strchr(text, '_');
    char *end;
    if (p && (!strncmp(text, "sm_", 3) || !strncmp(text, "compute_", 8) || !strncmp(text, "lto_", 4))) {
        out->sm = (unsigned)strtoul(p + 1, &end, 10);
        out->suffix[0] = *end == 'a' || *end == 'f' ? *end : 0;
        out->suffix[1] = 0;
        if (end != p + 1 && !end[out->suffix[0] ? 1 : 0])
            for (size_t i = 0; i < TARGET_ROWS; i++)
                if (target_table[i].sm == out->sm)
                    return true;
    }
    return nvcc_error("'%s' is no target; --list-gpu-code lists them", text);
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
    if (!target_parse(&one, arch))
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
        if (*word && !target_parse(&one, word))
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
        if (!target_parse(&one, codes->data[i]))
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
