// SPDX-License-Identifier: Apache-2.0
// See option.h. The wording of the messages follows NVRTC's, as programs show them and search them.
#include "nvrtc/option.h"
#include <stdlib.h>
#include <string.h>

enum kind { FLAG, BOOL, VALUE, LIST, INT, TOUCH, NONE };
static const struct row {
    const char *long_name, *short_name;
    enum kind kind;
} table[] = {
#define OPT(id, long_name, short_name, kind) {long_name, short_name, kind},
#include "nvrtc/option.def"
#undef OPT
};

bool rtc_has(const struct rtc_options *o, enum rtc_option id)
{
    return o->values[id].len > 0;
}

const char *rtc_value(const struct rtc_options *o, enum rtc_option id)
{
    const struct texts *t = &o->values[id];
    return t->len ? t->data[t->len - 1] : NULL;
}

bool rtc_bool(const struct rtc_options *o, enum rtc_option id, bool absent)
{
    const char *v = rtc_value(o, id);
    return v ? !strcmp(v, "true") : absent;
}

__attribute__((format(printf, 2, 3))) static bool refuse(struct str *log, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    str_append(log, "nvrtc: error: ");
    str_vprintf(log, fmt, ap);
    str_append(log, "\n");
    va_end(ap);
    return false;
}

// The row of an option, and where its value begins: behind '=', or touching the name, or NULL.
static const struct row *row_find(const char *text, const char **value)
{
    size_t n = strcspn(text, "=");
    *value = text[n] ? text + n + 1 : NULL;
    for (size_t i = 0; i < RTC_OPTION_COUNT; i++) {
        const struct row *r = &table[i];
        if (str_is(text, n, r->long_name) || str_is(text, n, r->short_name))
            return r;
    }
    for (size_t i = 0; i < RTC_OPTION_COUNT; i++) {
        const struct row *r = &table[i];
        if (r->kind == TOUCH && !strncmp(text, r->short_name, strlen(r->short_name))) {
            *value = text + strlen(r->short_name);
            return r;
        }
    }
    return NULL;
}

static bool number_is(const char *text)
{
    char *end;
    strtol(text, &end, 10);
    return *text && !*end;
}

static bool value_take(struct rtc_options *o, struct arena *a, const struct row *r, const char *value, struct str *log)
{
    if (r->kind == BOOL && strcmp(value, "true") && strcmp(value, "false"))
        return refuse(log, "%s (%s) expects true or false", r->long_name, r->short_name);
    if (r->kind == INT && !number_is(value))
        return refuse(log, "%s (%s) expects an integer value", r->long_name, r->short_name);
    vec_push(&o->values[r - table], arena_strdup(a, value));
    return true;
}

static bool option_read(struct rtc_options *o, struct arena *a, int count, const char *const *texts, int *i,
                        struct str *log)
{
    const char *text = texts[*i], *value = NULL;
    if (!text)
        return refuse(log, "option %d is NULL", *i);
    text += strspn(text, " \t"); // as programs that take options from files hand them in
    const struct row *r = *text == '-' ? row_find(text, &value) : NULL;
    if (!r)
        return refuse(log, "unrecognized option %s found", text);
    if (r->kind == NONE)
        return refuse(log, "%s (%s) is not supported", r->long_name, r->short_name);
    if (r->kind == FLAG) {
        if (value)
            return refuse(log, "%s (%s) does not accept any argument", r->long_name, r->short_name);
        vec_push(&o->values[r - table], "");
        return true;
    }
    if (!value && *i + 1 >= count && r - table == RTC_STACK_PROTECTOR)
        value = "true";
    if (!value) {
        if (*i + 1 >= count || !texts[*i + 1])
            return refuse(log, "%s (%s) expects an argument", r->long_name, r->short_name);
        value = texts[++*i];
    }
    return value_take(o, a, r, value, log);
}

static bool word_in(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

static bool arch_read(struct rtc_options *o, struct str *log)
{
    const char *arch = rtc_value(o, RTC_ARCH);
    o->target = (struct target){75, ""};
    if (!arch)
        return true;
    if (!strncmp(arch, "lto_", 4) || !target_parse(&o->target, arch))
        return refuse(log, "invalid value for --gpu-architecture (-arch)");
    o->real_target = !strncmp(arch, "sm_", 3);
    return true;
}

static bool values_check(struct rtc_options *o, struct arena *a, struct str *log)
{
    static const char *const stds[] = {"c++03", "c++11", "c++14", "c++17", "c++20", NULL};
    static const char *const speeds[] = {"0", "min", "mid", "max", NULL};
    const char *std = rtc_value(o, RTC_STD), *dopt = rtc_value(o, RTC_DOPT), *speed = rtc_value(o, RTC_FAST_COMPILE);
    const char *info = rtc_value(o, RTC_OPT_INFO), *density = rtc_value(o, RTC_JUMP_TABLE);
    const char *split = rtc_value(o, RTC_SPLIT);
    if (std && !word_in(std, stds))
        return refuse(log, "invalid value for --std(-std)");
    if (dopt && strcmp(dopt, "on"))
        return refuse(log, "invalid argument for option --dopt (-dopt): %s", dopt);
    if (speed && !word_in(speed, speeds))
        return refuse(log, "invalid argument for option --Ofast-compile (-Ofc): %s", speed);
    if (info && strcmp(info, "inline"))
        return refuse(log, "invalid optimization tag for option --optimization-info (-opt-info): %s", info);
    if (density && (atoi(density) < 0 || atoi(density) > 101))
        return refuse(log, "Argument for --jump-table-density must be between [0-101]");
    if (split && atoi(split) < 0)
        return refuse(log, "Argument for -split-compile must be non-negative");
    if (rtc_bool(o, RTC_STACK_PROTECTOR, false))
        return refuse(log, "--device-stack-protector (-device-stack-protector) is not supported");
    o->std = !std ? "c++17" : !strcmp(std, "c++03") ? "c++11" : arena_strdup(a, std); // our headers need 11
    return arch_read(o, log);
}

static bool pairs_check(struct rtc_options *o, struct str *log)
{
    const char *rdc = rtc_value(o, RTC_RDC);
    bool dc = rtc_has(o, RTC_DC), dw = rtc_has(o, RTC_DW), ewp = rtc_has(o, RTC_EWP);
    if (dc && dw)
        return refuse(log, "Both --device-c (-dc) and --device-w (-dw) specified");
    if (dc && rdc && !strcmp(rdc, "false"))
        return refuse(log, "--device-c (-dc) is not compatible with --relocatable-device-code=false (-rdc=false)");
    if (dw && rdc && !strcmp(rdc, "true"))
        return refuse(log, "--device-w (-dw) is not compatible with --relocatable-device-code=true (-rdc=true)");
    if (ewp && dc)
        return refuse(log, "--extensible-whole-program (-ewp) is not compatible with --device-c (-dc)");
    if (ewp && rdc && !strcmp(rdc, "true"))
        return refuse(log, "--extensible-whole-program (-ewp) is not compatible with --relocatable-device-code=true "
                           "(-rdc=true)");
    if (rtc_has(o, RTC_ERROR_NUMBER) && rtc_has(o, RTC_NO_ERROR_NUMBER))
        return refuse(log, "--display-error-number (-err-no) and --no-display-error-number (-no-err-no) cannot be "
                           "defined together.");
    if (rtc_has(o, RTC_PCH) && rtc_has(o, RTC_PCH_CREATE))
        return refuse(log, "-pch and -create-pch cannot be specified at the same time");
    if (rtc_has(o, RTC_PCH) && rtc_has(o, RTC_PCH_USE))
        return refuse(log, "-pch and -use-pch cannot be specified at the same time");
    if (rtc_has(o, RTC_PCH_CREATE) && rtc_has(o, RTC_PCH_USE))
        return refuse(log, "-create-pch and -use-pch cannot be specified at the same time");
    return true;
}

bool rtc_options_read(struct rtc_options *o, struct arena *a, int count, const char *const *texts, struct str *log)
{
    for (int i = 0; i < count; i++)
        if (!option_read(o, a, count, texts, &i, log))
            return false;
    return values_check(o, a, log) && pairs_check(o, log);
}

void rtc_options_fini(struct rtc_options *o)
{
    for (int i = 0; i < RTC_OPTION_COUNT; i++)
        vec_free(&o->values[i]);
}
