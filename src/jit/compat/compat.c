// SPDX-License-Identifier: Apache-2.0
// See compat.h.
#include "jit/ir/pass.h"
#include "jit/compat/compat.h"
#include "base/log.h"
#include "base/vec.h"
#include "jit/jit.h"

void compat_tell(const char *kernel, unsigned yields)
{
    if (!yields)
        remark(NULL, "nothing: no race that a GPU's order of warps hides");
    else
        remark(NULL, "yields at %u points, since it seems to count on the order of warps", yields);
    if (yields)
        log_write(LOG_DEBUG, "%s: gangs yield at %u points, since it seems to count on the order of warps", kernel,
                  yields);
}

enum { POINTS = 96 }; // resume points that a kernel gets for a test; more take long to compile

static bool is_change(LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMStore || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg;
}

// Yields before every store and atomic and at the head of every block, or before some of them where these are many: to the threads of
// the block, or to all that can run.
bool pass_yields_everywhere(struct compilation *c)
{
    LLVMValueRef kernel = c->t.kernel;
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
        op_insert(c->options->compat == JIT_COMPAT_BLOCKS ? OP_YIELD : OP_YIELD_BLOCK, points.data[k]);
    vec_free(&points);
    return true;
}
