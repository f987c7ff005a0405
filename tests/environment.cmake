# SPDX-License-Identifier: Apache-2.0
# Read by ctest: the environment of every test. What the C library frees is filled, and nothing is kept aside unfilled, so that code
# which looks at freed memory fails each time. LLVM, which no sanitizer sees into, is the reason.
set(ENV{MALLOC_PERTURB_} 165)
set(ENV{GLIBC_TUNABLES} "glibc.malloc.tcache_count=0")
# No process outlives a test (heddle/finish is the test of those).
set(ENV{HEDDLE_FINISH} 0)
# What is compiled is what a test asks for (heddle/ahead is the test of the rest).
set(ENV{HEDDLE_AHEAD} 0)
