// SPDX-License-Identifier: Apache-2.0
// The metrics, by metric.def: what each is of a launch.
#include "ncu/ncu.h"
#include <math.h>
#include <string.h>

// atomic: with and without the old value, which are one in shared memory. What ends with _ stands for all that begin so.
static bool is_op(const struct insn *i, const char *op)
{
    size_t n = op ? strlen(op) : 0;
    bool either = op && !strcmp(op, "atomic");
    return !op || !strcmp(i->op, op) || (either && (!strcmp(i->op, "atom") || !strcmp(i->op, "red"))) ||
           (n && op[n - 1] == '_' && !strncmp(i->op, op, n));
}

static double sum(const struct launch *l, enum count_field field, const char *op)
{
    double n = 0;
    for (size_t i = 0; i < l->insns.len; i++)
        n += is_op(&l->insns.data[i], op) ? (double)l->insns.data[i].field[field] : 0;
    return n;
}

// Bytes that threads moved, by a field that counts threads.
static double moved(const struct launch *l, enum count_field field, const char *op)
{
    double n = 0;
    for (size_t i = 0; i < l->insns.len; i++)
        n += is_op(&l->insns.data[i], op) ? (double)l->insns.data[i].field[field] * l->insns.data[i].bytes : 0;
    return n;
}

// In global memory, by copies in bulk too.
static double used_bytes(const struct launch *l)
{
    return moved(l, COUNT_GLOBAL_THREADS, NULL) + sum(l, COUNT_BULK_BYTES, NULL) -
           sum(l, COUNT_BULK_BYTES, "bulk_shared");
}

static double traffic(const struct launch *l)
{
    return 32 * (sum(l, COUNT_GLOBAL_SECTORS, NULL) + sum(l, COUNT_BULK_SECTORS, NULL));
}

static double pipe_inst(const struct launch *l, const char *pipe)
{
    double n = 0;
    for (size_t i = 0; i < l->insns.len; i++)
        n += !strcmp(l->insns.data[i].pipe, pipe) ? (double)l->insns.data[i].warps : 0;
    return n;
}

// Operations of matrix products.
static double products(const struct launch *l, const char *op)
{
    double n = 0;
    for (size_t i = 0; i < l->insns.len; i++)
        n += is_op(&l->insns.data[i], op) ? (double)insn_warps_on(&l->insns.data[i]) * l->insns.data[i].products : 0;
    return n;
}

static double inst(const struct launch *l, const char *op)
{
    double n = 0;
    for (size_t i = 0; i < l->insns.len; i++)
        n += is_op(&l->insns.data[i], op) ? (double)l->insns.data[i].warps : 0;
    return n;
}

static bool is_matrix(const struct insn *i)
{
    return strstr(i->text, "ldmatrix") || strstr(i->text, "stmatrix");
}

// Instructions that name this state space, but for matrices, which others do.
static double inst_of(const struct launch *l, const char *space, const char *op)
{
    double n = 0;
    for (size_t i = 0; i < l->insns.len; i++)
        if (is_op(&l->insns.data[i], op) && strstr(l->insns.data[i].text, space) && !is_matrix(&l->insns.data[i]))
            n += (double)l->insns.data[i].warps;
    return n;
}

// Instructions that begin with this name, behind their predicate.
static double inst_named(const struct launch *l, const char *name)
{
    double n = 0;
    for (size_t i = 0; i < l->insns.len; i++) {
        const char *text = l->insns.data[i].text;
        const char *behind = *text == '@' ? strchr(text, ' ') : NULL;
        n += !strncmp(behind ? behind + 1 : text, name, strlen(name)) ? (double)l->insns.data[i].warps : 0;
    }
    return n;
}

static double thread_inst(const struct launch *l)
{
    double n = 0;
    for (size_t i = 0; i < l->insns.len; i++)
        n += (double)l->insns.data[i].threads;
    return n;
}

static double threads_of(const struct launch *l, const char *class, const char *op)
{
    double n = 0;
    for (size_t i = 0; i < l->insns.len; i++)
        if (is_op(&l->insns.data[i], op) && (!class || !strcmp(l->insns.data[i].class, class)))
            n += (double)insn_on(&l->insns.data[i]);
    return n;
}

// Operations on numbers of a type: add, mul and, twice, fma.
static double flops(const struct launch *l, char type)
{
    double n = 0;
    for (size_t i = 0; i < l->insns.len; i++) {
        const struct insn *x = &l->insns.data[i];
        bool add = !strcmp(x->op + 1, "add"), mul = !strcmp(x->op + 1, "mul"), fma = !strcmp(x->op + 1, "fma");
        if (*x->op == type && (add || mul || fma))
            n += (double)insn_on(x) * x->per_thread * (fma ? 2 : 1);
    }
    return n;
}

// On floating point, of whatever kind.
static double all_flops(const struct launch *l)
{
    return flops(l, 'f') + flops(l, 'd') + flops(l, 'h') + products(l, NULL) - products(l, "tensor_int8");
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static double conflicts(const struct launch *l, const char *op)
{
    return sum(l, COUNT_SHARED_WAVEFRONTS, op) - sum(l, COUNT_SHARED_IDEAL, op);
}

static double branch_efficiency(const struct launch *l)
{
    double all = inst(l, "branch");
    return all > 0 ? 100 * (all - sum(l, COUNT_DIVERGENT, NULL)) / all : 0;
}

static double occupancy_blocks(const struct launch *l)
{
    int least = l->limit[0];
    for (unsigned i = 1; i < 4; i++)
        least = l->limit[i] < least ? l->limit[i] : least;
    return least > 0 ? least : 1;
}

static double occupancy_warps(const struct launch *l)
{
    double warps = occupancy_blocks(l) * ((launch_threads(l) + 31) / 32);
    return warps < l->sm_warps ? warps : l->sm_warps;
}

#define NAME_OF_(line) value_##line
#define NAME_OF(line)  NAME_OF_(line)
#define VALUE(expression)                                                                                              \
    static double NAME_OF(__LINE__)(const struct launch *l)                                                            \
    {                                                                                                                  \
        return (double)(expression);                                                                                   \
    }
#define METRIC(name, unit, form, about, value) VALUE(value)
#define CLASS(name)                            VALUE(threads_of(l, name, NULL))
#define OPERATION(name, about)                 VALUE(threads_of(l, NULL, name))
#include "ncu/metric.def"

#define OF_CLASS "smsp__sass_thread_inst_executed_op_"
const struct metric metrics[] = {
#define METRIC(name, unit, form, about, value) {name, unit, about, FORM_##form, NAME_OF(__LINE__)},
#define CLASS(name)                                                                                                    \
    {OF_CLASS name "_pred_on.sum", "inst", "threads that executed instructions of the class " name, FORM_COUNT,        \
     NAME_OF(__LINE__)},
#define OPERATION(name, about)                                                                                         \
    {OF_CLASS name "_pred_on.sum", "inst", "threads that executed " about, FORM_COUNT, NAME_OF(__LINE__)},
#include "ncu/metric.def"
};
const size_t metric_count = sizeof metrics / sizeof *metrics;

const struct metric *metric_find(const char *name)
{
    for (size_t i = 0; i < metric_count; i++)
        if (!strcmp(metrics[i].name, name))
            return &metrics[i];
    return NULL;
}

double metric_value(const struct launch *l, const char *name)
{
    const struct metric *m = metric_find(name);
    return m ? m->value(l) : 0;
}

void number_text(double x, bool whole, char *out, size_t size)
{
    char digits[64];
    snprintf(digits, sizeof digits, "%.*f", whole ? 0 : 2, x);
    size_t n = strcspn(digits, "."), first = *digits == '-', at = 0;
    for (size_t i = 0; digits[i] && at + 2 < size; i++) {
        if (i > first && i < n && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = 0;
}

const char native_note[] = "A library's own kernel: it has no PTX, so that nothing in it is counted.";

bool metric_known(const struct metric *m, const struct launch *l)
{
    static const char own[] = "heddle__native";
    return l->native ? !strncmp(m->name, own, sizeof own - 1) && (m->value(l) > 0) : true;
}

void metric_text(const struct metric *m, const struct launch *l, char *out, size_t size)
{
    if (!metric_known(m, l)) {
        snprintf(out, size, "n/a");
        return;
    }
    number_text(m->value(l), m->form == FORM_COUNT, out, size);
}
