// SPDX-License-Identifier: Apache-2.0
// The control flow graph: dominators against their definition, on graphs made at random, and questions about one by hand.
#include "jit/analysis/cfg.h"
#include "test.h"
#include "parse.h"

enum { BLOCKS = 12, GRAPHS = 200 };

// Whether every way from `from` to a block that satisfies the question passes `by`.
static bool must_pass(const struct cfg *c, bool back, int by, int from, const bool *goal)
{
    bool through[BLOCKS + 1], reached[BLOCKS + 1] = {false};
    for (unsigned i = 0; i < c->nblocks; i++)
        through[i] = (int)i != by;
    reached[from] = from != by;
    cfg_reach(c, back, through, reached);
    for (unsigned i = 0; i < c->nblocks; i++)
        if (reached[i] && goal[i])
            return false;
    return true;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

static LLVMModuleRef random_graph(LLVMContextRef context, uint32_t seed)
{
    char text[BLOCKS * 64 + 64];
    size_t n = (size_t)snprintf(text, sizeof text, "define void @f(i1 %%c) {\n");
    for (unsigned i = 0; i < BLOCKS; i++) {
        uint32_t kind = next_random(&seed) % 8, a = 1 + next_random(&seed) % (BLOCKS - 1),
                 b = 1 + next_random(&seed) % (BLOCKS - 1);
        n += (size_t)snprintf(text + n, sizeof text - n, "b%u: ", i);
        if (!kind && i)
            n += (size_t)snprintf(text + n, sizeof text - n, "ret void\n");
        else if (kind < 3)
            n += (size_t)snprintf(text + n, sizeof text - n, "br label %%b%u\n", a);
        else
            n += (size_t)snprintf(text + n, sizeof text - n, "br i1 %%c, label %%b%u, label %%b%u\n", a, b);
    }
    snprintf(text + n, sizeof text - n, "}\n");
    return parse(context, text);
}

static void test_random(LLVMContextRef context, uint32_t seed)
{
    LLVMModuleRef m = random_graph(context, seed);
    struct cfg c;
    cfg_build(&c, LLVMGetNamedFunction(m, "f"));
    unsigned wrong = 0;
    bool ends[BLOCKS + 1] = {false}, to_end[BLOCKS + 1] = {false};
    for (unsigned i = 0; i < c.nblocks; i++)
        to_end[i] = ends[i] = !c.blocks[i].nsucc;
    cfg_reach(&c, true, NULL, to_end);
    for (int a = 0; a < (int)c.nblocks; a++)
        for (int b = 0; b < (int)c.nblocks; b++) {
            bool goal[BLOCKS + 1] = {false};
            goal[b] = true;
            if (c.blocks[a].rpo < 0 || c.blocks[b].rpo < 0)
                continue;
            wrong += cfg_dominates(&c, a, b) != must_pass(&c, false, a, 0, goal);
            if (to_end[a] && to_end[b])
                wrong += cfg_postdominates(&c, a, b) != must_pass(&c, false, a, b, ends);
        }
    for (int l = 0; l < (int)c.nloops; l++) {
        wrong += !cfg_loop_contains(&c, l, c.loops[l].header) || c.blocks[c.loops[l].header].heads != l;
        for (int b = 0; b < (int)c.nblocks; b++)
            wrong += cfg_loop_contains(&c, l, b) && !cfg_dominates(&c, c.loops[l].header, b);
    }
    CHECK(!wrong);
    cfg_fini(&c);
    LLVMDisposeModule(m);
}

int main(void)
{
    LLVMContextRef c = LLVMContextCreate();
    for (uint32_t i = 0; i < GRAPHS; i++)
        test_random(c, i * 7919 + 1);
    LLVMContextDispose(c);
    return test_summary();
}
