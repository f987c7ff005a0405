// SPDX-License-Identifier: Apache-2.0
// Which launches are checked, and what their blocks have for it.
#include "base/xmalloc.h"
#include "device/check/race.h"
#include "device/count/count.h"
#include "device/fault/fault.h"
#include "device/sched/runner.h"
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is known of sites at which everything is right.
static struct jit_site all_right[CHECK_SITES];

void check_prepare(void)
{
    for (size_t i = 0; i < CHECK_SITES; i++)
        all_right[i] = (struct jit_site){0, UINT64_MAX};
    check_wanted = sanitizer_tools() & JIT_CHECK_ANY;
    order_prepare();
    count_prepare();
}

// ---- which kernels
// The plain name in a mangled one, after the classes and namespaces that it lies in; the name itself where it is not mangled.
static const char *plain_name(const char *mangled, size_t *len)
{
    const char *p = mangled, *found = mangled;
    *len = strlen(mangled);
    if (strncmp(p, "_Z", 2))
        return mangled;
    for (p += 2; *p == 'N' || *p == 'K' || *p == 'L';)
        p++;
    while (isdigit((unsigned char)*p)) {
        size_t n = strtoul(p, (char **)&p, 10);
        if (n > strlen(p))
            break;
        found = p;
        *len = n;
        p += n;
    }
    return found;
}

static bool matches_text(const char *kind, const char *value, const char *name)
{
    size_t len;
    const char *plain = plain_name(name, &len);
    if (!strcmp(kind, "substring"))
        return strstr(name, value) != NULL;
    if (!strcmp(kind, "name"))
        return !strcmp(name, value) || (strlen(value) == len && !strncmp(plain, value, len));
    regex_t re;
    if (regcomp(&re, value, REG_EXTENDED | REG_NOSUB))
        return false;
    char *base = strcmp(kind, "base") ? xstrdup(name) : strndup(plain, len); // base: an expression for the plain name
    bool found = base && !regexec(&re, base, 0, NULL, 0);
    free(base);
    regfree(&re);
    return found;
}

// The list "kind:value", one behind a tab each; `none`: whether an empty list has every name.
static bool matches(const char *setting, const char *name, bool none)
{
    char *list = xstrdup(sanitizer_setting(setting)), *rest = list;
    bool found = !*list && none;
    for (char *item; !found && (item = strsep(&rest, "\t"));) {
        char *colon = strchr(item, ':');
        if (!colon)
            continue;
        *colon = 0;
        found = matches_text(item, colon + 1, name);
    }
    free(list);
    return found;
}

unsigned check_tools_for(const char *kernel)
{
    if (!check_wanted && !count_wanted)
        return 0;
    return matches("kernels", kernel, true) && !matches("kernels-not", kernel, false) ? sanitizer_tools() : 0;
}

// ---- launches
static bool is_counted(void)
{
    static atomic_ullong launches;
    uint64_t n = atomic_fetch_add(&launches, 1), skip = strtoull(sanitizer_setting("skip"), NULL, 10),
             count = strtoull(sanitizer_setting("count"), NULL, 10);
    return n >= skip && (!count || n - skip < count);
}

struct check_launch *check_launch_create(const struct launch_desc *d, const char *args)
{
    unsigned tools = check_tools_for(d->kernel) & JIT_CHECK_ANY;
    if (!tools)
        return NULL;
    struct check_launch *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->kernel = d->kernel;
    c->code = d->code;
    c->args = args;
    c->args_size = d->args_size;
    c->tools = is_counted() ? tools : 0;
    snprintf(c->race_report, sizeof c->race_report, "%s", sanitizer_setting("racecheck-report"));
    c->goes_on = !strcmp(sanitizer_setting("destroy"), "kernel");
    if (c->tools && strcmp(sanitizer_setting("backtrace"), "no"))
        sanitizer_stack_take(&c->stack, 1);
    return c;
}

void check_launch_begin(struct check_launch *c, const struct op *op)
{
    if (!c)
        return;
    atomic_store(&c->failed, false);
    c->op = op;
    c->touch = op->order && (c->tools & JIT_CHECK_RACE || order_owned) ? touch_begin() : NULL;
    if (c->tools & JIT_CHECK_RACE) {
        c->grid = grid_create();
        stores_begin(c);
    }
}

void check_touch(struct check_launch *c, const struct jit_block *b, uint32_t what, uint32_t thread, uint64_t address,
                 uint32_t lanes)
{
    const struct touch_access a = {.site = check_site(what),
                                   .thread = thread % RACE_THREADS,
                                   .size = check_size(what),
                                   .block = b->linear,
                                   .writes = check_kind(what) != CHECK_READ,
                                   .strong = what & CHECK_STRONG};
    touch_access(c->touch, &a, address, lanes);
}

void check_launch_over(struct check_launch *c)
{
    if (!c)
        return;
    race_tell(c);
    if (c->touch)
        touch_end(c->touch, c->op);
    c->touch = NULL;
    grid_destroy(c->grid);
    c->grid = NULL;
}

void check_launch_destroy(struct check_launch *c)
{
    free(c);
}

// One launch after the other: what is known of a site holds for its arguments and for as long as no memory comes or goes.
void check_resident(struct resident *r, struct check_launch *c)
{
    if (!c || !c->tools) {
        r->block.sites = all_right;
        return;
    }
    if (!r->sites)
        r->sites = malloc(sizeof all_right);
    r->block.sites = r->sites ? r->sites : all_right;
    r->block.written = 0;
    if (r->sites)
        memset(r->sites, 0xff, sizeof all_right); // nothing is known
    race_resident(r);
    sync_resident(r);
    init_resident(r);
}

void check_resident_end(struct resident *r)
{
    free(r->sites);
    race_resident_end(r);
    sync_resident_end(r);
    init_resident_end(r);
}

// ---- faults that no check has told: accesses that the operating system refuses, traps, assertions
static const char *fault_text(enum device_fault f)
{
    switch (f) {
    case FAULT_ILLEGAL_ADDRESS:
        return "Invalid access";
    case FAULT_STACK:
        return "Stack overflow";
    case FAULT_MISALIGNED:
        return "Misaligned access";
    case FAULT_ILLEGAL_INSTRUCTION:
        return "Illegal instruction";
    case FAULT_OUT_OF_MEMORY:
        return "Out of memory";
    case FAULT_TIMEOUT:
        return "Launch timeout";
    default:
        return NULL; // a trap or an assertion is the program's own word
    }
}

bool check_fault(struct check_launch *c, enum device_fault fault, const struct jit_block *b,
                 const struct fault_scope *scope)
{
    const char *text = fault_text(fault);
    if (!c)
        return true;
    if (fault != FAULT_CHECKED && text && c->tools && !atomic_exchange(&c->failed, true)) {
        struct sanitizer_report *r = check_report("error", "%s", text);
        check_report_at(r, c, scope && scope->pc ? (const char *)scope->pc + 1 : NULL);
        if (b && scope && scope->thread >= 0)
            check_report_thread(r, b, (uint32_t)scope->thread);
        else if (b && r)
            sanitizer_add(r, "L\tin block (%u,%u,%u)\n", b->ctaid[0], b->ctaid[1], b->ctaid[2]);
        if (r && scope && scope->address)
            sanitizer_add(r, "L\tAccess at 0x%llx is out of bounds\n", (unsigned long long)(uintptr_t)scope->address);
        check_report_end(r, c);
    }
    return fault != FAULT_CHECKED || !c->goes_on;
}
