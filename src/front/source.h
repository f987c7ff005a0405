// SPDX-License-Identifier: Apache-2.0
// C++ sources as texts: words, literals and comments, for what is found in them without parsing them.
#ifndef HEDDLE_FRONT_SOURCE_H
#define HEDDLE_FRONT_SOURCE_H
#include <stdbool.h>
#include <stddef.h>

bool source_is_word(char c); // a letter, a digit or an underscore
size_t source_word_length(const char *p);
// Behind the string or character constant that begins at p; one that is not closed ends with its line.
const char *source_skip_literal(const char *p);
// Behind the comment that begins at p; the end of the line is not part of it.
const char *source_skip_comment(const char *p);
#endif
