// SPDX-License-Identifier: Apache-2.0
// What clang gets of a program: its source and headers as files, and the arguments.
#ifndef HEDDLE_NVRTC_INPUT_H
#define HEDDLE_NVRTC_INPUT_H
#include "base/hash.h"
#include "front/front.h"
#include "nvrtc/option.h"
#include "nvrtc/program.h"
#include <limits.h>

#define PREFIX_FILE  "__nvrtc_prefix.h"
#define VIRTUAL_ROOT "/__nvrtc__"

struct compilation {
    struct program *program;
    struct arena arena;
    struct rtc_options options;
    struct toolkit toolkit;
    struct front_options front;
    struct hash128 key;
    char dir[PATH_MAX];  // of temporary files; empty: none yet
    const char *headers; // virtual folder of the headers in memory, NULL: none
    const char *overlay; // file that describes it
    struct texts base;   // arguments that the precompiled header depends on
    uint64_t began;
};

// The path of a temporary file; the text is the arena's.
const char *input_temp(struct compilation *c, const char *name);
bool input_write(struct compilation *c, const char *path, const char *text, size_t size);
// The virtual folder: the headers in memory, and so much of the source's beginning as a precompiled header holds.
bool input_write_headers(struct compilation *c, size_t prefix);
// The source as a file, without so much of its beginning.
bool input_write_source(struct compilation *c, const char *path, size_t skip);

void input_read_options(struct compilation *c); // fills in front
void input_make_base(struct compilation *c);    // fills in base
// What the user says to the preprocessor; includes: -include of headers as well.
void input_add_user(struct compilation *c, struct texts *argv, bool includes);
#endif
