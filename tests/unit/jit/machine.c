// SPDX-License-Identifier: Apache-2.0
// Which kind a processor is of, and what the figures of the kinds say to each other.
#include "jit/ir/machine.h"
#include "base/os.h"
#include "base/cpu/processor.h"
#include "test.h"
#include <string.h>

static bool is(enum architecture a, const char *cpu, const char *features, const char *about)
{
    machine_choose(a, cpu, features, false);
    return !strcmp(machine_about(), about);
}

static void test_kinds(void)
{
    const char *avx512 = "+avx2,+avx512vl,+avx512dq,";
    CHECK(is(ARCHITECTURE_X86, "cascadelake", avx512, "AVX-512, Intel: Skylake-X to Granite Rapids"));
    CHECK(is(ARCHITECTURE_X86, "skylake-avx512", avx512, "AVX-512, Intel: Skylake-X to Granite Rapids"));
    CHECK(is(ARCHITECTURE_X86, "skylake-avx512", "+avx2", "AVX2, Intel: Skylake to Lunar Lake"));
    CHECK(is(ARCHITECTURE_X86, "znver4", avx512, "AVX-512, AMD: Zen 4 and 5"));
    CHECK(is(ARCHITECTURE_X86, "znver4", "+avx2,-avx512vl", "AVX2, AMD: up to Zen 3"));
    CHECK(is(ARCHITECTURE_X86, "x86-64-v3", "+avx2", "AVX2: Haswell, and any other"));
    CHECK(is(ARCHITECTURE_X86, "x86-64", "", "x86-64 without AVX2"));
    CHECK(is(ARCHITECTURE_X86, "haswell", "+avx,-avx2", "x86-64 without AVX2"));
    CHECK(is(ARCHITECTURE_ARM, "neoverse-v1", "", "Neoverse V1"));
    CHECK(is(ARCHITECTURE_ARM, "generic", "+sve", "AArch64, any other"));
}

// What the code generator decides by them.
static void test_figures(void)
{
    machine_choose(ARCHITECTURE_X86, "skylake", "+avx2", false);
    CHECK(machine_figure(FIGURE_GATHER) < machine_figure(FIGURE_LANE_LOAD) && !machine_figure(FIGURE_SCATTER));
    CHECK(machine_part(FIGURE_L1, 75) == 24576);
    machine_choose(ARCHITECTURE_X86, "znver2", "+avx2", false);
    CHECK(machine_figure(FIGURE_GATHER) > machine_figure(FIGURE_LANE_LOAD));
    CHECK(machine_figure(FIGURE_MASKED_STORE) > machine_figure(FIGURE_LANE_STORE));
    machine_choose(ARCHITECTURE_ARM, "neoverse-n1", "", false);
    CHECK(!machine_figure(FIGURE_GATHER) && machine_figure(FIGURE_VECTOR_BYTES) == 16);
}

// Caches are those of the system where it tells, and gathers what they were measured to be, of the processor at hand alone.
static void test_here(void)
{
    struct os_cache first = os_cache(1), none = os_cache(9);
    machine_choose(ARCHITECTURE_X86, "haswell", "+avx2", true);
    CHECK(machine_figure(FIGURE_L1) == (first.bytes ? first.bytes >> 10 : 32));
    bool slow = processor_gather_cost() > 100, dear = machine_figure(FIGURE_GATHER) > machine_figure(FIGURE_LANE_LOAD);
    CHECK(slow == dear || !processor_gather_cost());
    machine_choose(ARCHITECTURE_X86, "haswell", "+avx2", false);
    CHECK(machine_figure(FIGURE_L1) == 32 && !none.bytes && !none.ways);
}

int main(void)
{
    test_kinds();
    test_figures();
    test_here();
    return test_summary();
}
