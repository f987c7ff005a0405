// SPDX-License-Identifier: Apache-2.0
#include "jit/pass_switch.h"
#include "base/env.h"
#include "base/log.h"
#include "base/str.h"
#include <pthread.h>
#include <string.h>

static const char *const optional_names[] = {
#define PASS(name, function, when, optional, needs, about) (optional) ? #name : NULL,
#define LLVM_PASS(name, pipeline, when, about)
#include "jit/pass.def"
#undef PASS
#undef LLVM_PASS
};

// Of a name with a point, the part before it will do.
static bool is_name_or_group(const char *word, size_t n, const char *name)
{
    return str_is(word, n, name) || (n == strcspn(name, ".") && !strncmp(word, name, n));
}

bool pass_switched_off(const char *name)
{
    const char *list = env_get("HEDDLE_PASSES");
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
        if (*p == '-' && is_name_or_group(p + 1, strcspn(p, ",") - 1, name))
            return true;
    return false;
}

static void report(void)
{
    const char *list = env_get("HEDDLE_PASSES");
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
        size_t n = strcspn(p, ","), i = 0, count = sizeof optional_names / sizeof *optional_names;
        while (i < count && !(*p == '-' && optional_names[i] && is_name_or_group(p + 1, n - 1, optional_names[i])))
            i++;
        if (i == count)
            log_write(LOG_ERROR,
                      "HEDDLE_PASSES: '%.*s' is not '-' and the name of an optional pass (docs/jit/passes.md)", (int)n,
                      p);
    }
}

// HEDDLE_REMARKS and HEDDLE_DUMP may name every pass, or one of these words.
static void report_names(const char *variable, const char *const *words)
{
    static const char *const names[] = {
#define PASS(name, function, when, optional, needs, about) #name,
#define LLVM_PASS(name, pipeline, when, about)             #name,
#include "jit/pass.def"
#undef PASS
#undef LLVM_PASS
    };
    const char *list = env_get(variable);
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
        size_t n = strcspn(p, ","), i = 0, count = sizeof names / sizeof *names;
        bool known = false;
        while (i < count && !is_name_or_group(p, n, names[i]))
            i++;
        for (const char *const *w = words; *w; w++)
            known |= str_is(p, n, *w);
        if (i == count && !known)
            log_write(LOG_ERROR, "%s: '%.*s' is no pass (docs/jit/passes.md)", variable, (int)n, p);
    }
}

static void report_all(void)
{
    report();
    report_names("HEDDLE_REMARKS", (const char *const[]){"all", NULL});
    report_names("HEDDLE_DUMP", (const char *const[]){"all", "asm", "verify", NULL});
}

void pass_report(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, report_all);
}
