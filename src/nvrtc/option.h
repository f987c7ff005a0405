// SPDX-License-Identifier: Apache-2.0
// The options of one compilation, read by the table option.def.
#ifndef HEDDLE_NVRTC_OPTION_H
#define HEDDLE_NVRTC_OPTION_H
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "front/front.h"
#include <stdbool.h>

enum rtc_option {
#define OPT(id, long_name, short_name, kind) RTC_##id,
#include "nvrtc/option.def"
#undef OPT
    RTC_OPTION_COUNT
};

struct rtc_options {
    struct texts values[RTC_OPTION_COUNT]; // in order; a FLAG has one empty text
    struct target target;
    bool real_target; // sm_NN: an image is wanted besides the PTX
    const char *std;  // "c++17"
};

// False with a message in the log.
bool rtc_options_read(struct rtc_options *o, struct arena *a, int count, const char *const *texts, struct str *log);
void rtc_options_fini(struct rtc_options *o);
bool rtc_has(const struct rtc_options *o, enum rtc_option id);
const char *rtc_value(const struct rtc_options *o, enum rtc_option id); // the last; NULL when not given
bool rtc_bool(const struct rtc_options *o, enum rtc_option id, bool absent);
#endif
