// SPDX-License-Identifier: Apache-2.0
// Schedule exploration: a launch runs to its end as it would anyway, and then again from the same memory under other schedules. What
// memory holds afterwards is compared; a kernel for which it differs depends on the schedule, which CUDA leaves open.
//
// Requirements:
//  1. Every schedule is one that CUDA allows: blocks in any order, warps and threads of a block in any order between the points where
//     they wait for each other, taking turns anywhere. Nothing is reordered within a thread. So a kernel without data races, whose
//     atomics commute, has the same result under all of them, and a difference is never an artefact (but for rule 5).
//  2. The program goes on with what the first run left, as if nothing else had been run: the other runs begin with all memory as it
//     was before the launch, and what they leave is taken back. What they print is dropped. Their faults are findings; they do not
//     become the context's.
//  3. A finding is made as simple as it can be: each part of the schedule that is not needed for the difference is taken out, and the
//     range of blocks whose order matters is halved for as long as it does.
//  4. Launches are explored one at a time, with the device idle. What the program's other threads do to the memory meanwhile, and a
//     kernel that waits for the host, are not what this is made for.
//  5. What a kernel reads of the machine (clocks, its multiprocessor, the launch's number) may differ and is told all the same, since
//     a result that depends on it depends on the schedule.
//  6. Not explored: library functions that are C, kernels that allocate or launch by themselves (their state is not all in memory that
//     can be taken back), graphs, and launches with more memory than an eighth of the machine's. The report counts them, but for graphs.
#include "driver/explore/explore.h"
#include "base/os.h"
#include "base/str.h"
#include "driver/explore/schedule.h"
#include "driver/explore/snapshot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    const struct kernel_info *kernel;
    unsigned launches, findings;
} *kernels;
static size_t nkernels;
static unsigned explored, skipped, findings, kernels_found;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fault_state faults; // of the run under way

static void report_end(void)
{
    if (!explored && !skipped)
        return;
    struct str out = {0};
    str_printf(&out, "heddle explore: %u launches under up to %u schedules each: ", explored, explore_asked.schedules);
    if (findings)
        str_printf(&out, "%u of them, of %u kernels, depend on the schedule", findings, kernels_found);
    else
        str_append(&out, "none depends on the schedule");
    if (skipped)
        str_printf(&out, "; %u launches were not explored", skipped);
    str_append(&out, "\n");
    os_write_all(STDERR_FILENO, str_text(&out), out.len);
    str_free(&out);
}

// How much was found of the kernel, and whether this launch of it is to be explored.
static unsigned *findings_of(const struct kernel_info *k, bool *wanted)
{
    size_t i = 0;
    while (i < nkernels && kernels[i].kernel != k)
        i++;
    if (i == nkernels) {
        kernels = xrealloc(kernels, (nkernels + 1) * sizeof *kernels);
        memset(&kernels[nkernels], 0, sizeof *kernels);
        kernels[nkernels++].kernel = k;
    }
    *wanted = kernels[i].launches++ < explore_asked.launches && !kernels[i].findings;
    return &kernels[i].findings;
}

struct exploration {
    struct function *f;
    struct stream *s;
    const struct launch_request *q;
    const void *args;
    uint64_t blocks; // or clusters: what the order is of
    struct snapshot before, after;
};

// What became of a run: a difference, or a fault.
struct outcome {
    bool differs;
    enum device_fault fault;
    char message[sizeof faults.message]; // of the fault
    struct difference d;
};

// Under the schedule that it has anyway (NULL), or another.
static CUresult run_special(const struct exploration *x, const struct launch_special *special)
{
    struct op *op;
    CUresult r = launch_op_special(x->f, x->q, x->args, special, &op);
    if (r)
        return r;
    stream_submit(x->s, op, NULL);
    op_wait(op);
    op_release(op);
    return r;
}

static struct outcome run(const struct exploration *x, const struct schedule *s)
{
    struct outcome o = {0};
    struct launch_order order = schedule_blocks(s);
    struct jit_options options = {.width = s->width, .compat = s->compat, .descending = s->descending};
    struct launch_special special = {.order = &order, .faults = &faults};
    if (function_code_with(x->f, x->q->block, &options, &special.code))
        return o;
    memset(&faults, 0, sizeof faults);
    snapshot_restore(&x->before);
    output_mute(true);
    if (!run_special(x, &special)) {
        o.fault = (enum device_fault)atomic_load(&faults.fault);
        memcpy(o.message, faults.message, sizeof o.message);
        o.d = snapshot_compare(&x->after, explore_asked.tolerance);
        o.differs = o.fault || o.d.range;
    }
    output_mute(false);
    return o;
}

// Takes out what the difference does not need, then narrows the range of blocks to one that shows it.
static struct outcome reduce(const struct exploration *x, struct schedule *s, struct outcome found)
{
    struct schedule less = *s;
    for (unsigned part = 0; schedule_simplify(&less, &part, x->blocks);) {
        struct outcome o = run(x, &less);
        if (o.differs) {
            *s = less;
            found = o;
        } else {
            less = *s;
        }
    }
    for (bool moved = s->blocks == ORDER_DESCENDING; moved && s->to - s->from > 2;) {
        uint64_t half = (s->to - s->from) / 2, least = s->to - s->from - half;
        moved = false;
        for (unsigned k = 0; k < 3 && !moved; k++) { // the first half, the second, and the middle
            struct schedule part = *s;
            part.from = s->from + (k == 0 ? 0 : k == 1 ? half : half / 2);
            part.to = part.from + least;
            struct outcome o = run(x, &part);
            moved = o.differs;
            if (moved) {
                *s = part;
                found = o;
            }
        }
    }
    return found;
}

static const char *variable_at(const struct module *m, const void *base)
{
    const struct ptx_module *p = m->image->ptx;
    for (uint32_t i = 0; i < p->nvars; i++)
        if (m->globals[p->vars[i]->index] == base && p->vars[i]->name)
            return p->vars[i]->name;
    return NULL;
}

static void describe_word(uint32_t word, struct str *out)
{
    float number;
    memcpy(&number, &word, 4);
    str_printf(out, "0x%08x (%d", word, (int32_t)word);
    if (isnormal(number))
        str_printf(out, ", %g", (double)number);
    str_append(out, ")");
}

static void describe_memory(const struct exploration *x, const struct difference *d, struct str *out)
{
    const struct memory_range *r = d->range;
    const char *name = r->kind == MEMORY_MODULE ? variable_at(x->f->module, r->base) : NULL;
    if (name)
        str_printf(out, "variable '%s', %zu bytes", name, r->size);
    else
        str_printf(out, "%s of %zu bytes at %p",
                   r->kind == MEMORY_MANAGED                                ? "managed memory"
                   : r->kind == MEMORY_HOST || r->kind == MEMORY_REGISTERED ? "host memory"
                                                                            : "device memory",
                   r->size, (void *)r->base);
    str_printf(out, ": the word at byte %zu is ", d->offset);
    describe_word(d->is, out);
    str_append(out, " and not ");
    describe_word(d->was, out);
    str_printf(out, "; %zu bytes differ in all", d->bytes);
    if (d->floats)
        str_append(out,
                   "\n    they may be sums of floating-point numbers in another order: tolerance=1e-3 lets them pass");
}

static const char *fault_name(enum device_fault fault)
{
    static const char *const names[] = {
        [FAULT_ILLEGAL_ADDRESS] = "an illegal address",
        [FAULT_STACK] = "a stack overflow",
        [FAULT_MISALIGNED] = "a misaligned address",
        [FAULT_TRAP] = "a trap",
        [FAULT_ASSERT] = "an assertion",
        [FAULT_ILLEGAL_INSTRUCTION] = "an illegal instruction",
        [FAULT_NOT_SUPPORTED] = "something that is not supported",
        [FAULT_OUT_OF_MEMORY] = "too little memory",
        [FAULT_TIMEOUT] = "the limit of time",
    };
    return names[fault];
}

static void report(const struct exploration *x, const struct schedule *s, const struct outcome *o, unsigned launch)
{
    struct str out = {0}, how = {0};
    const uint32_t *g = x->q->grid, *b = x->q->block;
    str_printf(&out, "heddle explore: kernel '%s', launch %u, grid %ux%ux%u, block %ux%ux%u: depends on the schedule\n",
               x->f->info->ptx->name, launch, g[0], g[1], g[2], b[0], b[1], b[2]);
    schedule_describe(s, x->blocks, &how);
    str_printf(&out, "  with %s\n    ", str_text(&how));
    if (o->fault)
        str_printf(&out, "it ends by %s: %s", fault_name(o->fault), o->message);
    else
        describe_memory(x, &o->d, &out);
    str_append(&out, "\n");
    os_write_all(STDERR_FILENO, str_text(&out), out.len);
    str_free(&out);
    str_free(&how);
    if (explore_asked.fd >= 0)
        os_write_all(explore_asked.fd, "!", 1);
}

static void explore(const struct exploration *x, unsigned *found)
{
    unsigned threads = x->q->block[0] * x->q->block[1] * x->q->block[2];
    explored++;
    for (unsigned i = 0; i < explore_asked.schedules; i++) {
        struct schedule s = schedule_number(i, x->blocks);
        if (i && !schedule_differs(&s, x->blocks, threads))
            continue;
        struct outcome o = run(x, &s);
        if (!o.differs)
            continue;
        o = reduce(x, &s, o);
        report(x, &s, &o, explored);
        findings++;
        kernels_found += !(*found)++;
        break;
    }
    snapshot_restore(&x->after);
}

static bool explore_locked(struct exploration *x, CUresult *out)
{
    bool wanted;
    unsigned *found = findings_of(x->f->info, &wanted);
    size_t most = (size_t)sysconf(_SC_PHYS_PAGES) / 8 * (size_t)sysconf(_SC_PAGESIZE);
    if (!wanted)
        return false;
    context_wait(x->s->context);
    if (context_fault(x->s->context) || !snapshot_take(&x->before, most)) {
        skipped++;
        return false;
    }
    *out = run_special(x, NULL);
    if (!*out) {
        output_flush();
        *out = context_fault(x->s->context);
        if (!*out && snapshot_like(&x->after, &x->before))
            explore(x, found);
        else
            skipped++;
    }
    snapshot_free(&x->before);
    snapshot_free(&x->after);
    return true;
}

bool explore_launch(struct function *f, struct stream *s, const struct launch_request *q, const void *args,
                    CUresult *out)
{
    struct exploration x = {.f = f, .s = s, .q = q, .args = args};
    if (!strstr(f->info->ptx->name, explore_asked.kernel))
        return false;
    uint64_t unit = 1;
    for (int i = 0; i < 3; i++)
        unit *= q->cluster[i] ? q->cluster[i] : 1;
    x.blocks = (uint64_t)q->grid[0] * q->grid[1] * q->grid[2] / unit;
    pthread_mutex_lock(&lock);
    if (!explored && !skipped)
        atexit(report_end);
    bool state = f->info->native || image_facts(f->module->image, f->info)->keeps_state;
    skipped += state;
    bool done = !state && explore_locked(&x, out);
    pthread_mutex_unlock(&lock);
    return done;
}
