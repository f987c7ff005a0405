// The width of kernels that have no need of their own. A vector of AVX-512 has 16 lanes. With 32 each operation is two
// that do not wait for each other, and an access is two lines side by side: mandelbrot and a convolution from shared
// memory ran 1.45x as fast, Black-Scholes 1.2x, a 3D stencil 2 to 3x. It does not pay where lanes are taken one by one
// (atomics, unless the gang makes them as one or much is computed for each: k-means 1.2x as fast), where the values of one gang fill the registers already, and where threads
// do little between barriers (a reduction: 1.25x as long). bench --widths compares.
#include "jit/ir.h"
#include "jit/region.h"
#include "jit/target.h"
#include "jit/gang/vectorise.h"
#include <string.h>

enum { LANES = 32, BUSY = 40, BUSY_INNER = 8, CARRIED_MAX = 10, INSTRUCTIONS_MAX = 500 };

struct load {
    unsigned instructions, floats, carried; // carried: the most that one loop carries
    bool barriers, atomics, refused;
};

static bool is_fixed(LLVMValueRef call)
{
    return !strcmp(call_name(call), "heddle.args") || !strcmp(call_name(call), "heddle.global") ||
           !strcmp(call_name(call), "heddle.shared");
}

// One operation for the gang (gang/merge.c, gang/append.c).
static bool is_made_once(LLVMValueRef x)
{
    int64_t by;
    return LLVMGetMetadata(x, LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(x)), MERGE_KIND, sizeof MERGE_KIND - 1)) ||
           (LLVMGetAtomicRMWBinOp(x) == LLVMAtomicRMWBinOpAdd && value_constant(LLVMGetOperand(x, 1), &by) && by == 1 &&
            ir_made_of(LLVMGetOperand(x, 0), 8, is_fixed));
}

static void count(struct load *l, LLVMValueRef x)
{
    l->instructions++;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
        l->floats++;
        break;
    case LLVMAtomicRMW:
        l->atomics |= !is_made_once(x);
        break;
    case LLVMAtomicCmpXchg:
    case LLVMAlloca:
        l->refused = true;
        break;
    case LLVMCall:
        l->floats += !strncmp(call_name(x), "llvm.fma.", 9);
        l->barriers |= !strncmp(call_name(x), "heddle.barrier", 14);
        l->refused |= !LLVMIsAFunction(LLVMGetCalledValue(x)) || !LLVMIsDeclaration(LLVMGetCalledValue(x));
        break;
    default:
        break;
    }
}

// Floating-point operations in inner loops that run without a barrier: each counts for many.
static unsigned count_inner(LLVMValueRef kernel)
{
    struct arena arena;
    struct cfg c;
    unsigned most = 0;
    arena_init(&arena);
    cfg_build(&c, kernel, &arena);
    struct load *loops = arena_array(&arena, struct load, c.nloops + 1);
    for (unsigned i = 0; i < c.norder; i++) {
        const struct cfg_block *b = &c.blocks[c.order[i]];
        for (LLVMValueRef x = LLVMGetFirstInstruction(b->block); x && b->loop != CFG_NONE; x = LLVMGetNextInstruction(x))
            count(&loops[b->loop], x);
    }
    for (unsigned i = 0; i < c.nloops; i++)
        if (!loops[i].barriers && loops[i].floats > most)
            most = loops[i].floats;
    cfg_fini(&c);
    arena_fini(&arena);
    return most;
}

unsigned width_of_kernel(LLVMValueRef kernel, unsigned width, unsigned threads)
{
    struct load l = {0};
    if (width != 16 || threads % LANES || !threads || !target_ranges())
        return width;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b)) {
        unsigned phis = 0;
        for (LLVMValueRef x = LLVMGetFirstInstruction(b); x; x = LLVMGetNextInstruction(x)) {
            phis += LLVMIsAPHINode(x) != NULL;
            count(&l, x);
        }
        l.carried = phis > l.carried ? phis : l.carried;
    }
    if (l.refused || l.instructions > INSTRUCTIONS_MAX || l.carried > CARRIED_MAX)
        return width;
    unsigned inner = l.barriers || l.atomics ? count_inner(kernel) : 0;
    if (l.atomics && inner < BUSY_INNER)
        return width;
    return !l.barriers || l.floats >= BUSY || inner >= BUSY_INNER ? LANES : width;
}
