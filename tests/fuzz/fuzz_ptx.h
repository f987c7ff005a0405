// SPDX-License-Identifier: Apache-2.0
// What every PTX text must withstand, shared by the libFuzzer target and the deterministic test.
#ifndef HEDDLE_FUZZ_PTX_H
#define HEDDLE_FUZZ_PTX_H
#include <stdbool.h>
#include <stddef.h>

// Parses, verifies, prints, parses the print again, links. Ends the process where a promise is broken: an error without
// line and column, a verified module whose print does not parse to the same print. Returns whether the text was valid.
bool fuzz_ptx(const char *text, size_t size);
#endif
