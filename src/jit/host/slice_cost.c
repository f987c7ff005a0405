// SPDX-License-Identifier: Apache-2.0
// Whether a loop pays by slices (slice_loops.c): the registers that it takes, and what it does beside.
#include "jit/host/slice.h"

// Bytes of registers that a value takes when there are so many slices. A mask is as wide as what it masks.
static unsigned register_bytes(const struct slicer *s, LLVMValueRef x, unsigned slices)
{
    const struct run *r = inside(s, x) ? run_of(s, x) : NULL;
    unsigned one = machine_figure(FIGURE_VECTOR_BYTES), bits = slice_element_bits(x);
    bool same = inside(s, x) && (!r || r->first == ANY);
    if (LLVMIsAConstant(x)) {
        same = true;
        for (unsigned i = 1; i < lanes_of(x); i++)
            same &= LLVMGetAggregateElement(x, i) == LLVMGetAggregateElement(x, 0);
    }
    return same ? one : lanes_of(x) * (bits < 8 ? 4 : bits / 8) / slices;
}

// The live values somewhere in the code, which is gone through from its end.
struct living {
    struct map seen;
    unsigned bytes, peak;
};

// Runs that are taken out and put together are registers of what they are made of.
static bool is_renamed(LLVMValueRef x)
{
    return ir_is_opcode(x, LLVMShuffleVector) && !slice_is_splat(x);
}

static void lives(const struct slicer *s, struct living *l, LLVMValueRef x, unsigned slices)
{
    if (!is_vector(x) || value_is_undef(x) || map_get_ptr(&l->seen, x))
        return;
    map_put_ptr(&l->seen, x, l);
    if (inside(s, x) && is_renamed(x)) {
        lives(s, l, LLVMGetOperand(x, 0), slices);
        lives(s, l, LLVMGetOperand(x, 1), slices);
        return;
    }
    l->bytes += register_bytes(s, x, slices);
}

// The most registers that are taken at once, in the order of the code; of one group of values, if there are several.
static unsigned registers_peak(const struct slicer *s, unsigned slices)
{
    struct living l = {0};
    FOR_INSTRUCTIONS (s->loop, x) // what comes from outside, and what goes on to the next iteration, lives to the end
        for (unsigned i = 0; i < ir_operands(x) && !LLVMIsAPHINode(x); i++)
            if (!inside(s, LLVMGetOperand(x, i)))
                lives(s, &l, LLVMGetOperand(x, i), slices);
    FOR_PHIS (s->loop, x)
        if (is_in_group(s, x, 0))
            lives(s, &l, ir_incoming(x, s->loop), slices);
    l.peak = l.bytes;
    for (LLVMValueRef x = LLVMGetLastInstruction(s->loop); x && !LLVMIsAPHINode(x); x = LLVMGetPreviousInstruction(x)) {
        if (!is_in_group(s, x, 0))
            continue;
        if (is_vector(x) && !is_renamed(x) && map_get_ptr(&l.seen, x))
            l.bytes -= register_bytes(s, x, slices);
        for (unsigned i = 0; i < ir_operands(x); i++)
            if (inside(s, LLVMGetOperand(x, i)))
                lives(s, &l, LLVMGetOperand(x, i), slices);
        l.peak = l.bytes > l.peak ? l.bytes : l.peak;
    }
    map_free(&l.seen);
    return l.peak / machine_figure(FIGURE_VECTOR_BYTES);
}

// Operations from a phi of lanes to what it is in the next iteration, at most.
static unsigned carried_depth(const struct slicer *s)
{
    struct map depth = {0};
    unsigned most = 0;
    FOR_INSTRUCTIONS (s->loop, x) {
        uintptr_t d = LLVMIsAPHINode(x) && is_vector(x);
        for (unsigned i = 0; i < ir_operands(x) && is_vector(x) && !LLVMIsAPHINode(x); i++) {
            uintptr_t of = (uintptr_t)map_get_ptr(&depth, LLVMGetOperand(x, i));
            if (of && of + !ir_is_opcode(x, LLVMShuffleVector) > d)
                d = of + !ir_is_opcode(x, LLVMShuffleVector);
        }
        if (d)
            map_put_ptr(&depth, x, (void *)d);
    }
    FOR_PHIS (s->loop, x) {
        uintptr_t d = (uintptr_t)map_get_ptr(&depth, ir_incoming(x, s->loop));
        most = d > most + 1 ? (unsigned)d - 1 : most;
    }
    map_free(&depth);
    return most;
}

// Vector operations of one slice.
static unsigned slice_work(const struct slicer *s, unsigned slices)
{
    unsigned work = 0;
    FOR_INSTRUCTIONS (s->loop, x)
        if (is_vector(x) && !LLVMIsAPHINode(x) && slice_is_elementwise(x))
            work += register_bytes(s, x, slices);
    return work / machine_figure(FIGURE_VECTOR_BYTES);
}

// Of an operation on a vector, in hundredths of a cycle: a blend is as plain, or a load where a blend is two of them.
static unsigned plain_cost(void)
{
    unsigned blend = machine_figure(FIGURE_BLEND), load = machine_figure(FIGURE_LOAD);
    return blend < load ? blend : load;
}

// Whether storing and loading what the registers do not hold takes longer than what the loop computes. Less than that goes on beside
// it: a body of 200 operations with 27 registers too few ran 1.25 times as long by slices.
static bool spills_prevail(const struct slicer *s, unsigned spilled)
{
    unsigned each = machine_figure(FIGURE_LOAD) + machine_figure(FIGURE_STORE);
    return spilled * each > slice_work(s, 1) * plain_cost();
}

// As many as leave a whole register of each value that the loop carries.
static unsigned slices_most(const struct slicer *s)
{
    unsigned bytes = 8;
    FOR_PHIS (s->loop, x)
        if (is_vector(x) && slice_element_bits(x) < 8 * bytes)
            bytes = 4; // masks and what is less than a word are mostly beside words
    return s->width * bytes / machine_figure(FIGURE_VECTOR_BYTES);
}

unsigned slice_choose(struct slicer *s)
{
    LLVMValueRef at = LLVMGetBasicBlockTerminator(s->loop);
    unsigned have = machine_figure(FIGURE_REGISTERS), most = slices_most(s);
    unsigned all = registers_peak(s, 1), slices = 1, peak = all, groups = 1;
    if (all <= have)
        return 1;
    if (!spills_prevail(s, all - have))
        return remark_return(1, at, "stays: %u registers of %u, and %u operations beside which the rest goes to memory",
                             all, have, slice_work(s, 1));
    while (peak > have && slices * 2 <= most)
        peak = registers_peak(s, slices *= 2);
    while (peak > have && slice_group(s, groups * 2))
        peak = registers_peak(s, slices), groups *= 2;
    slice_group(s, groups);
    unsigned work = slice_work(s, slices) / groups, depth = carried_depth(s);
    if (work * plain_cost() < TUNE_SLICE_WORK * 25 * depth) {
        s->groups = 1;
        return remark_return(1, at, "stays: a slice has %u operations, %u of which go from iteration to iteration",
                             work, depth);
    }
    return remark_return(slices, at, "%u slices: %u registers of %u, each slice %u", slices * groups, all, have, peak);
}
