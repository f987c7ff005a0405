// SPDX-License-Identifier: Apache-2.0
// Name expressions: behind the source stands a variable for each, initialised with the expression. In the PTX its
// initialiser is the lowered name, and the variable is taken out.
#ifndef HEDDLE_NVRTC_NAMES_H
#define HEDDLE_NVRTC_NAMES_H
#include "nvrtc/program.h"

// Appends the variables to the source.
void names_write(struct str *source, const struct program *p);
// Says of which expressions the compiler's messages speak.
void names_explain(struct str *log, const struct program *p, const char *messages);
// Takes the names and their variables out of the text; the rest becomes the program's PTX. False: an expression did not
// become a name; the log says which.
bool names_take(struct program *p, const char *ptx);
#endif
