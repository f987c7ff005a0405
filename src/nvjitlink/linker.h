// SPDX-License-Identifier: Apache-2.0
// A link: options, inputs as texts, results. The handle is checked against the list of those alive, so that a stale one is an error.
#ifndef HEDDLE_NVJITLINK_LINKER_H
#define HEDDLE_NVJITLINK_LINKER_H
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "front/alive.h"
#include "front/front.h"
#define NVJITLINK_NO_INLINE
#include <nvJitLink.h>

enum linker_option {
#define OPT(id, name, kind, help) LINKER_OPT_##id,
#include "nvjitlink/option.def"
#undef OPT
    LINKER_OPTION_COUNT
};

enum linker_result { LINKER_CUBIN, LINKER_PTX, LINKER_ERRORS, LINKER_INFO, LINKER_RESULT_COUNT };

struct linker_input {
    const char *name, *text; // the arena's
    size_t size;
    bool ir;   // NVVM IR in place of PTX
    bool bare; // a PTX text by itself: of the others link-time optimisation knows
};

struct linker {
    struct alive alive; // one call at a time works on a link
    struct arena arena;
    const char *options[LINKER_OPTION_COUNT]; // the last value, "" of a flag; NULL: not given
    struct texts kernels, ptxas;              // what may be given several times
    struct target target;
    nvJitLinkResult refused; // of the options: what all calls that work answer
    struct VEC(struct linker_input) inputs;
    struct str results[LINKER_RESULT_COUNT];
    bool complete;
    uint64_t started; // ns
};

// option.c: reads the options, with messages in the error log.
nvJitLinkResult linker_options_read(struct linker *l, uint32_t count, const char *const *options);
// input.c: takes an input apart into texts.
nvJitLinkResult linker_input_add(struct linker *l, nvJitLinkInputType type, const char *data, size_t size,
                                 const char *name);
// link.c: the link itself.
nvJitLinkResult linker_link(struct linker *l);
#endif
