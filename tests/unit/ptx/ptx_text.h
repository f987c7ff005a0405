// SPDX-License-Identifier: Apache-2.0
// Short forms for the PTX front end's tests.
#ifndef HEDDLE_TEST_PTX_TEXT_H
#define HEDDLE_TEST_PTX_TEXT_H
#include "ptx/ptx.h"
#include <stdio.h>
#include <string.h>

#define PTX_HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

// Parses and verifies; NULL on error, with the messages in text (at least 1024 bytes; may be NULL).
static inline struct ptx_module *ptx_load(const char *ptx, char *text)
{
    struct diag d;
    diag_init(&d, "t");
    struct ptx_module *m = ptx_module_parse(ptx, strlen(ptx), &d);
    if (m && !ptx_module_verify(m, &d)) {
        ptx_module_destroy(m);
        m = NULL;
    }
    if (text)
        snprintf(text, 1024, "%s", str_text(&d.text));
    else if (!m)
        fputs(str_text(&d.text), stderr);
    diag_fini(&d);
    return m;
}

// The statements in a kernel with registers of every kind.
static inline struct ptx_module *ptx_load_body(const char *body, char *text)
{
    static char whole[1 << 16];
    snprintf(whole, sizeof whole,
             PTX_HEAD
             ".global .u32 gv; .global .f32 ga[8]; .shared .u32 sv; .const .u32 cv; "
             ".extern .func (.param .b32 r) ef(.param .b64 x);\n"
             ".visible .entry k(.param .u64 a, .param .u32 b) { .reg .pred p, q; .reg .b16 h<4>; .reg .b32 b<4>; "
             ".reg .b64 d<4>; .reg .u32 u<4>; .reg .s32 s<4>; .reg .f32 f<8>; .reg .f64 e<4>; .reg .u16 w<4>; "
             ".reg .u64 l<4>; .reg .v4 .f32 v; .reg .v2 .u32 v2; .param .b32 pr; .param .b64 pa; .local .u32 lv;\n"
             "%s\nL: ret; }\n",
             body);
    return ptx_load(whole, text);
}
#endif
