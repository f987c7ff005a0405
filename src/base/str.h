// SPDX-License-Identifier: Apache-2.0
// A growing string, always zero-terminated once something was appended.
#ifndef HEDDLE_BASE_STR_H
#define HEDDLE_BASE_STR_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct str {
    char *data;
    size_t len, cap;
};

void str_append(struct str *s, const char *text);
void str_append_n(struct str *s, const char *text, size_t n);
void str_printf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_vprintf(struct str *s, const char *fmt, va_list ap);
// In double quotes, with backslashes before quotes and backslashes: a string of C, JSON and YAML.
void str_append_quoted(struct str *s, const char *text);
void str_free(struct str *s);
// The text; "" when nothing was appended.
const char *str_text(const struct str *s);
// Whether a word stands in a text with commas between words.
bool str_list_has(const char *list, const char *word);
// Whether the n characters at p are the word, or one of the words.
bool str_is(const char *p, size_t n, const char *word);
bool str_is_any(const char *p, size_t n, const char *const *words, size_t count);
// Whether a text begins with one of these.
bool str_begins_any(const char *text, const char *const *starts, size_t count);
// Past the bracket that closes the one at p; what stands in double quotes does not count. NULL: it is missing.
const char *str_skip_brackets(const char *p);
#endif
