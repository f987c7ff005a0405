// SPDX-License-Identifier: Apache-2.0
// See report.h.
#include "device/check/report.h"
#include "device/sched/launch_op.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool check_wanted; // here, as memory asks for it

struct check_launch *check_of(const struct jit_block *b)
{
    return launch_op_of(b->launch)->check;
}

struct sanitizer_report *check_report(const char *kind, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    struct sanitizer_report *r = malloc(sizeof *r);
    if (!r)
        return NULL;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    r->len = 0;
    sanitizer_add(r, "K\t%s\nH\t%s\n", kind, text);
    return r;
}

void check_report_at(struct sanitizer_report *r, const struct check_launch *c, const void *pc)
{
    char line[300] = "";
    const char *start = c->code->start;
    if (!r)
        return;
    bool inside = pc && (const char *)pc >= start && (const char *)pc <= start + c->code->size;
    if (inside && !jit_code_line((const char *)pc - 1, line, sizeof line))
        line[0] = 0;
    sanitizer_add(r, "D\t%s\t0x%zx\t%s\n", c->kernel, inside ? (size_t)((const char *)pc - start) : (size_t)0, line);
}

void check_report_thread(struct sanitizer_report *r, const struct jit_block *b, uint32_t thread)
{
    const uint32_t *n = b->launch->block, *at = b->ctaid;
    if (r)
        sanitizer_add(r, "L\tby thread (%u,%u,%u) in block (%u,%u,%u)\n", thread % n[0], thread / n[0] % n[1],
                      thread / n[0] / n[1], at[0], at[1], at[2]);
}

void check_report_end(struct sanitizer_report *r, const struct check_launch *c)
{
    if (!r)
        return;
    if (c)
        sanitizer_add_stack(r, "Saved host backtrace up to driver entry point at kernel launch time", &c->stack);
    sanitizer_send(r);
    free(r);
}

const char *check_space_name(uint32_t space)
{
    return space == CHECK_SHARED  ? "__shared__ "
           : space == CHECK_LOCAL ? "__local__ "
           : space == CHECK_CONST ? "__constant__ "
                                  : "__global__ ";
}

void check_bad_free(const struct jit_block *b, uint32_t thread, bool twice, const void *pc)
{
    struct check_launch *c = check_of(b);
    if (!c || !c->tools || atomic_exchange(&c->failed, true))
        return;
    struct sanitizer_report *r =
        check_report("error", "Malloc/Free error encountered : %s", twice ? "Double free" : "Invalid pointer to free");
    check_report_at(r, c, pc);
    check_report_thread(r, b, thread);
    check_report_end(r, c);
}
