// SPDX-License-Identifier: Apache-2.0
// One pass over one text: the compilation's state before it, from words, and after it, as text.
#ifndef HEDDLE_TESTS_PASS_STATE_H
#define HEDDLE_TESTS_PASS_STATE_H
#include "base/str.h"
#include <stdbool.h>

struct state_result {
    struct str text; // remarks, facts and IR after the pass
    bool ok;         // false: the pass failed, or left the pipeline
    bool changed;    // facts or IR
};

bool state_knows(const char *pass);
// `set` and `after`: see main.c. False: the text cannot be read, or what runs before fails; r->text says why.
bool state_run(const char *pass, const char *file, const char *text, const char *set, const char *after,
               struct state_result *r);
#endif
