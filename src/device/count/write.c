// SPDX-License-Identifier: Apache-2.0
// What was counted of a launch, as a file that ncu reads: lines of a word and what it is about, with tabs between. The message that
// follows names the file.
#include "base/process/sanitizer.h"
#include "base/str.h"
#include "device/count/count.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_shape(FILE *out, const char *name, const uint32_t n[3])
{
    fprintf(out, "%s\t%u\t%u\t%u\n", name, n[0], n[1], n[2]);
}

static void write_launch(FILE *out, const struct count_desc *d, const struct jit_launch *l, const char *kernel)
{
    fprintf(out, "heddle-ncu\t2\nkernel\t%s\nprocess\t%ld\n", kernel, (long)getpid());
    write_shape(out, "grid", l->grid);
    write_shape(out, "block", l->block);
    write_shape(out, "cluster", l->cluster);
    fprintf(out, "shared\t%u\t%u\t%u\n", l->shared_static, l->dynamic_shared, d->shared_reserved);
    fprintf(out, "registers\t%u\nlocal\t%u\n", d->registers, d->local_bytes);
    fprintf(out, "limits\t%d\t%d\t%d\t%d\n", d->limit_blocks, d->limit_warps, d->limit_registers, d->limit_shared);
    fprintf(out, "device\t%u\t%u\t%u\n", d->sms, d->sm_warps, d->capability);
    if (d->native)
        fprintf(out, "native\n");
}

// Whose it is: a step's is the graph's launch; a kernel's that another one has launched is not told.
static void write_owner(FILE *out, const struct op *op)
{
    const struct op *owner = op->step ? plan_run(op) : op;
    if (owner && owner->trace.stream)
        fprintf(out, "stream\t%u\t%u\t%u\n", owner->trace.stream, owner->trace.context, owner->trace.device);
}

static void write_insn(FILE *out, const struct count_plan *p, const struct count_tally *t, size_t i)
{
    const struct count_insn *c = &p->insns.data[i];
    struct str text = {0};
    ptx_insn_print(c->f, c->in, &text);
    for (char *s = text.data; s && *s; s++)
        *s = *s == '\t' || *s == '\n' ? ' ' : *s;
    fprintf(out, "insn\t%s\t%u\t%u\t%u\t%s\t%s\t%s\t%u\t%u\t%u\t%u\t%llu\t%llu", c->f->name, c->in->loc.line,
            c->in->source.file, c->in->source.line, count_class_name(c->class), count_op_name(c->op),
            count_pipe_name(c->pipe), c->per_thread, c->products, c->bytes, c->in->guarded,
            (unsigned long long)t->warps[c->block], (unsigned long long)t->threads[c->block]);
    for (unsigned f = 0; f < COUNT_FIELDS; f++)
        fprintf(out, "\t%llu", (unsigned long long)t->insn[i][f]);
    fprintf(out, "\t%s\n", str_text(&text));
    str_free(&text);
}

static void tell(const char *kind, const char *text)
{
    struct sanitizer_report *r = malloc(sizeof *r);
    if (!r)
        return;
    r->len = 0;
    sanitizer_add(r, "K\t%s\nH\t%s\n", kind, text);
    sanitizer_send(r);
    free(r);
}

static void write_counts(FILE *out, const struct count_desc *d, const struct count_tally *t)
{
    fprintf(out, "caches\t%llu\t%llu\t%llu\t%llu\n", (unsigned long long)t->caches.l1_sectors,
            (unsigned long long)t->caches.l1_hits, (unsigned long long)t->caches.l2_sectors,
            (unsigned long long)(t->caches.l2_sectors - count_caches_reached(&t->caches)));
    for (uint32_t i = 0; i < d->ptx->nfiles; i++)
        fprintf(out, "file\t%u\t%s\n", d->ptx->files[i].index, d->ptx->files[i].name);
    for (size_t i = 0; i < d->plan->insns.len; i++)
        write_insn(out, d->plan, t, i);
}

void count_write(const struct count_desc *d, const struct count_tally *t, const struct op *op,
                 const struct jit_launch *l, const char *kernel)
{
    static atomic_uint number;
    char path[300];
    snprintf(path, sizeof path, "%s/%ld-%u", sanitizer_setting("folder"), (long)getpid(), atomic_fetch_add(&number, 1));
    FILE *out = fopen(path, "we");
    if (!out)
        return;
    write_launch(out, d, l, kernel);
    write_owner(out, op);
    if (t)
        write_counts(out, d, t);
    fclose(out);
    tell("launch", path);
}

void count_write_lost(const char *kernel)
{
    tell("lost", kernel);
}
