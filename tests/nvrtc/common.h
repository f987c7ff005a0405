// SPDX-License-Identifier: Apache-2.0
// What the tests of run-time compilation share: compiling a text, and checks of results with the error's name.
#ifndef HEDDLE_TEST_NVRTC_COMMON_H
#define HEDDLE_TEST_NVRTC_COMMON_H
#include "test.h"
#include <nvrtc.h>
#include <stdlib.h>
#include <string.h>

#define RTC_EXPECT(call, wanted) CHECK_RESULT(call, wanted, nvrtcGetErrorString)
#define CHECK_INT(value, wanted)                                                                                       \
    do {                                                                                                               \
        int got_ = (value), wanted_ = (wanted);                                                                        \
        if (got_ != wanted_)                                                                                           \
            fprintf(stderr, "%d instead of %d: ", got_, wanted_);                                                      \
        CHECK(got_ == wanted_);                                                                                        \
    } while (0)
#define RTC_OK(call) RTC_EXPECT(call, NVRTC_SUCCESS)

static inline char *rtc_log(nvrtcProgram p)
{
    size_t size = 0;
    RTC_OK(nvrtcGetProgramLogSize(p, &size));
    char *text = calloc(size + 1, 1);
    RTC_OK(nvrtcGetProgramLog(p, text));
    return text;
}

static inline char *rtc_ptx(nvrtcProgram p)
{
    size_t size = 0;
    RTC_OK(nvrtcGetPTXSize(p, &size));
    char *text = calloc(size + 1, 1);
    RTC_OK(nvrtcGetPTX(p, text));
    CHECK(strlen(text) + 1 == size);
    return text;
}

// A program without headers, compiled; the log goes to stderr when the result is not the wanted one.
static inline nvrtcProgram rtc_compile(const char *source, nvrtcResult wanted, int count, const char *const *options)
{
    nvrtcProgram p = NULL;
    RTC_OK(nvrtcCreateProgram(&p, source, "test.cu", 0, NULL, NULL));
    nvrtcResult got = nvrtcCompileProgram(p, count, options);
    if (got != wanted) {
        char *log = rtc_log(p);
        fprintf(stderr, "%s instead of %s for:\n%s\nlog: %s\n", nvrtcGetErrorString(got), nvrtcGetErrorString(wanted),
                source, log);
        free(log);
    }
    RTC_EXPECT(got, wanted);
    return p;
}
#endif
