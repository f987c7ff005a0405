// SPDX-License-Identifier: Apache-2.0
// What the tests of nvJitLink share: texts, and a link with its inputs.
#ifndef HEDDLE_TEST_NVJITLINK_COMMON_H
#define HEDDLE_TEST_NVJITLINK_COMMON_H
#include "test.h"
#include <nvJitLink.h>
#include <stdlib.h>
#include <string.h>

#define HEAD(sm) ".version 8.0\n.target sm_" sm "\n.address_size 64\n"

// k(p) writes twice(21), which another text defines.
static const char caller[] = HEAD("75") ".extern .func (.param .b32 r) twice(.param .b32 a);\n"
                                        ".visible .entry k(.param .u64 p)\n{\n"
                                        "    .reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
                                        "    ld.param.u64 %rd1, [p]; mov.u32 %r1, 21;\n"
                                        "    { .param .b32 a; .param .b32 r; st.param.b32 [a], %r1; call (r), twice, "
                                        "(a); ld.param.b32 %r2, [r]; }\n"
                                        "    st.global.u32 [%rd1], %r2; ret;\n}\n"
                                        ".visible .entry other() { ret; }\n";
static const char callee[] = HEAD("75") ".visible .func (.param .b32 r) twice(.param .b32 a)\n{\n"
                                        "    .reg .b32 %r<3>; ld.param.b32 %r1, [a]; shl.b32 %r2, %r1, 1;\n"
                                        "    st.param.b32 [r], %r2; ret;\n}\n";

static inline const char *link_result_name(nvJitLinkResult r)
{
    static char text[16];
    snprintf(text, sizeof text, "%d", r);
    return text;
}
#define LINK_EXPECT(call, wanted) CHECK_RESULT(call, wanted, link_result_name)
#define LINK_OK(call)             LINK_EXPECT(call, NVJITLINK_SUCCESS)

// A link with the target sm_75 and up to two more options.
static inline nvJitLinkHandle link_create(const char *first, const char *second)
{
    nvJitLinkHandle h = NULL;
    const char *options[] = {"-arch=sm_75", first, second};
    LINK_OK(nvJitLinkCreate(&h, first ? second ? 3 : 2 : 1, options));
    return h;
}

static inline char *log_get(nvJitLinkHandle h, bool info)
{
    size_t size = 99;
    LINK_OK(info ? nvJitLinkGetInfoLogSize(h, &size) : nvJitLinkGetErrorLogSize(h, &size));
    char *text = calloc(size + 1, 1);
    LINK_OK(info ? nvJitLinkGetInfoLog(h, text) : nvJitLinkGetErrorLog(h, text));
    CHECK(size == (*text ? strlen(text) + 1 : 0));
    return text;
}

static inline void log_has(nvJitLinkHandle h, bool info, const char *words)
{
    char *text = log_get(h, info);
    if (!*words ? *text != 0 : !strstr(text, words)) {
        fprintf(stderr, "log '%s' instead of '%s'\n", text, words);
        CHECK(!"the log");
    } else {
        CHECK(true);
    }
    free(text);
}

static inline void link_destroy(nvJitLinkHandle h)
{
    LINK_OK(nvJitLinkDestroy(&h));
    CHECK(!h);
}
#endif
