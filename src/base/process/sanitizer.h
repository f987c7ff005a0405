// SPDX-License-Identifier: Apache-2.0
// The way from a process to the compute-sanitizer that started it (src/sanitizer): what it asks for, and reports to it. HEDDLE_SANITIZER
// names its socket. Without that nothing happens, and who asks looks at one word.
//
// A message is a text; each has an answer, so that what is reported stands before what the program does afterwards. The first one says
// which process it is, and is answered by the settings, "name=value" in lines. A report is lines of a letter, a tab and a text:
//   K kind      what it counts as: error, warning, leak, api, hazard, info; begins the report
//   H text      its first line
//   L text      a line below it
//   D name offset place   a frame of the device: mangled name, offset, "file:line"
//   B text      a line before the frames of the host; then, from the innermost on,
//   F module offset name  a frame of the host, with the name that the dynamic symbols have for it, or nothing
//   N n         how many there are of it, beyond this one
// An api report ends with "A name code text": the driver's name of the call, or nothing where a frame tells it.
#ifndef HEDDLE_BASE_PROCESS_SANITIZER_H
#define HEDDLE_BASE_PROCESS_SANITIZER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether a compute-sanitizer listens to this process; connects at the first call. `wanted`: which code is checked, enum jit_check.
bool sanitizer_on(void);
unsigned sanitizer_tools(void);
const char *sanitizer_setting(const char *name); // "" where there is none

enum { SANITIZER_FRAMES = 24, SANITIZER_TEXT = 16384 };
struct sanitizer_stack {
    unsigned n;
    void *frame[SANITIZER_FRAMES];
};
// Who called, without the innermost `skip` frames.
void sanitizer_stack_take(struct sanitizer_stack *s, unsigned skip);

struct sanitizer_report {
    size_t len;
    char text[SANITIZER_TEXT];
};
void sanitizer_add(struct sanitizer_report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sanitizer_add_stack(struct sanitizer_report *r, const char *heading, const struct sanitizer_stack *s);
void sanitizer_send(const struct sanitizer_report *r);
// A call failed with this code. name NULL: the frames tell it.
void sanitizer_api_error(const char *name, int code, const char *error_name, const char *text);
#endif
