// SPDX-License-Identifier: Apache-2.0
// A program of the run-time compiler: what it was created from, and the results of its last compilation.
#ifndef HEDDLE_NVRTC_PROGRAM_H
#define HEDDLE_NVRTC_PROGRAM_H
#include "base/str.h"
#include "base/vec.h"
#include "front/alive.h"
#include <nvrtc.h>
#include <stdbool.h>
#include <string.h>

struct program {
    struct alive alive; // one call at a time works on a program
    char *name, *source;
    struct texts headers, header_names, expressions; // their texts are from malloc
    int (*flow)(void *, void *);
    void *flow_payload;

    bool compiled;                   // a compilation has ended well
    struct str log, ptx, image, lto; // with -dlto the last alone of the three
    struct texts lowered;            // the names of the expressions, from malloc
    nvrtcResult pch_status;
};

// A copy of a part of a text, from malloc.
static inline char *text_copy(const char *text, size_t n)
{
    char *copy = xmalloc(n + 1);
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

// compile.c: fills in the results; the program is locked.
nvrtcResult program_compile(struct program *p, int count, const char *const *options);
void program_clear(struct program *p);    // program.c: the results
void program_texts_free(struct texts *t); // with the texts, from malloc
#endif
