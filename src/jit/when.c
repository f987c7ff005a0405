// SPDX-License-Identifier: Apache-2.0
#include "jit/when.h"
#include "jit/block/block.h"
#include "jit/host/target.h"
#include "jit/jit.h"

#define WHEN(name, ...)                                                                                                \
    bool when_##name(const struct compilation *c)                                                                      \
    {                                                                                                                  \
        (void)c;                                                                                                       \
        return __VA_ARGS__;                                                                                            \
    }

WHEN(always, true)
WHEN(optimised, !c->options->debug)
WHEN(debugged, c->options->debug)
WHEN(stacks, c->plan.stacks)
WHEN(without_stacks, !c->plan.stacks)
WHEN(vector, c->plan.width > 1 && !c->options->debug)
WHEN(marked, c->marked)
WHEN(checks, (c->options->check & JIT_CHECK_ANY) != 0)
WHEN(flushes, c->t.flush_denormals)
// Width 1 is the plain schedule (compat/compat.h).
WHEN(compat, c->options->compat && c->options->width != 1 && !jit_runs_alone(c->options))
WHEN(compat_guessed, when_compat(c) && c->options->compat == JIT_COMPAT_GUESSED)
WHEN(compat_everywhere, when_compat(c) && c->options->compat > JIT_COMPAT_GUESSED)
// Blocks of a cluster reach each other's shared memory.
WHEN(private_blocks, !c->options->debug && !c->t.cluster)
WHEN(free_width, !c->options->width && !c->options->debug)
WHEN(rebuilt, c->rebuilt)
WHEN(llvm_structures, c->how == STRUCTURED_LLVM)
WHEN(dispatch_structures, c->how == STRUCTURED_DISPATCH)
// Loops that gangs are to run interleaved (opt/interleave_gangs.c).
WHEN(loops_marked, op_find(c->module, OP_INTERLEAVE_POINT))
// The whole block goes from region to region together.
WHEN(gangs_together, block_form_of(&c->plan) == BLOCK_LOOPS)
// What counts on the gangs of a block beginning in their order.
WHEN(gangs_ascending, when_optimised(c) && !c->options->descending)
WHEN(gangs_ascending_together, when_gangs_together(c) && !c->options->descending)
// The block function has the loops over its gangs by itself, and the form of their code matters.
WHEN(gangs_in_loops, when_gangs_together(c) || (block_form_of(&c->plan) == BLOCK_SINGLE && when_loops_marked(c)))
WHEN(has_lines, c->t.debug)
WHEN(code_huge, !c->options->debug && c->size == CODE_HUGE)
WHEN(code_deep, !c->options->debug && c->size == CODE_DEEP)
WHEN(code_quick, !c->options->debug && c->size == CODE_QUICK)
WHEN(code_large, !c->options->debug && c->size == CODE_LARGE)
WHEN(code_usual, !c->options->debug && c->size == CODE_USUAL)
WHEN(ternary_logic, target_has_ternary_logic())
