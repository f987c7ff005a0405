// SPDX-License-Identifier: Apache-2.0
#include "jit/when.h"
#include "jit/block/block.h"
#include "jit/host/target.h"
#include "jit/ir/dialect.h"
#include "jit/jit.h"

bool when_always(const struct compilation *c)
{
    (void)c;
    return true;
}

bool when_optimised(const struct compilation *c)
{
    return !c->options->debug;
}

bool when_debugged(const struct compilation *c)
{
    return c->options->debug;
}

bool when_vector(const struct compilation *c)
{
    return c->plan.width > 1 && !c->options->debug;
}

bool when_marked(const struct compilation *c)
{
    return c->marked;
}

// Width 1 is the plain schedule (compat/compat.h).
bool when_compat(const struct compilation *c)
{
    return c->options->compat && c->options->width != 1 && !jit_runs_alone(c->options);
}

bool when_compat_guessed(const struct compilation *c)
{
    return when_compat(c) && c->options->compat != JIT_COMPAT_EVERYWHERE;
}

bool when_compat_everywhere(const struct compilation *c)
{
    return when_compat(c) && c->options->compat == JIT_COMPAT_EVERYWHERE;
}

// Blocks of a cluster reach each other's shared memory.
bool when_private_blocks(const struct compilation *c)
{
    return !c->options->debug && !c->t.cluster;
}

bool when_free_width(const struct compilation *c)
{
    return !c->options->width && !c->options->debug;
}

bool when_rebuilt(const struct compilation *c)
{
    return c->rebuilt;
}

bool when_llvm_structures(const struct compilation *c)
{
    return c->how == STRUCTURED_LLVM;
}

bool when_dispatch_structures(const struct compilation *c)
{
    return c->how == STRUCTURED_DISPATCH;
}

// Loops that gangs are to run interleaved (opt/interleave_gangs.c).
bool when_loops_marked(const struct compilation *c)
{
    return op_find(c->module, OP_TURN);
}

// The whole block goes from region to region together.
bool when_gangs_together(const struct compilation *c)
{
    return block_form_of(&c->plan) == BLOCK_LOOPS;
}

// The block function has the loops over its gangs by itself, and the form of their code matters.
bool when_gangs_in_loops(const struct compilation *c)
{
    return when_gangs_together(c) || (block_form_of(&c->plan) == BLOCK_SINGLE && when_loops_marked(c));
}

bool when_has_lines(const struct compilation *c)
{
    return c->t.debug;
}

bool when_code_huge(const struct compilation *c)
{
    return !c->options->debug && c->size == CODE_HUGE;
}

bool when_code_deep(const struct compilation *c)
{
    return !c->options->debug && c->size == CODE_DEEP;
}

bool when_code_quick(const struct compilation *c)
{
    return !c->options->debug && c->size == CODE_QUICK;
}

bool when_code_large(const struct compilation *c)
{
    return !c->options->debug && c->size == CODE_LARGE;
}

bool when_code_usual(const struct compilation *c)
{
    return !c->options->debug && c->size == CODE_USUAL;
}

bool when_ternary_logic(const struct compilation *c)
{
    (void)c;
    return target_has_ternary_logic();
}
