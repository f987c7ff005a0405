// SPDX-License-Identifier: Apache-2.0
// See compat.h.
#include "jit/ir/pass.h"
#include "base/log.h"
#include "jit/jit.h"
#include "jit/compat/compat.h"
#include "jit/ir/dialect.h"
#include "jit/ir/ir.h"
#include "base/vec.h"
#include "jit/compat/lockstep.h"
#include "jit/compat/order.h"

enum { POINTS = 96 }; // resume points that a kernel gets for a test; more take long to compile

static bool is_change(LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMStore || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg;
}

// Yields before every store and atomic and at the head of every block, or before some of them where these are many.
static void compat_yield_everywhere(LLVMValueRef kernel)
{
    struct VEC(LLVMValueRef) points = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b)) {
        bool head = b != LLVMGetEntryBasicBlock(kernel);
        FOR_INSTRUCTIONS (b, i) {
            if (LLVMGetInstructionOpcode(i) == LLVMPHI)
                continue;
            if (head || is_change(i))
                vec_push(&points, i);
            head = false;
        }
    }
    size_t step = points.len / POINTS + 1;
    for (size_t k = 0; k < points.len; k += step)
        compat_build_yield(points.data[k]);
    vec_free(&points);
}

// Inserts yields where the program seems to count on the order of warps; how many. `block`: the block's shape, 0 when it is not
// known.
static unsigned compat_insert_yields(LLVMValueRef kernel, const unsigned block[3])
{
    unsigned threads = block[0] * block[1] * block[2];
    if (threads <= 1)
        return 0;
    unsigned n = lockstep_insert_yields(kernel, threads);
    return n + order_insert_yields(kernel, block);
}

bool pass_yields(struct compilation *c)
{
    if (c->options->compat == JIT_COMPAT_EVERYWHERE) {
        compat_yield_everywhere(c->t.kernel);
        return true;
    }
    unsigned yields = compat_insert_yields(c->t.kernel, c->options->block);
    if (yields)
        log_write(LOG_DEBUG, "%s: gangs give way at %u places, since it seems to count on the order of warps",
                  c->plan.kernel, yields);
    return true;
}
