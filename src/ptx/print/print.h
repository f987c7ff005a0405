// SPDX-License-Identifier: Apache-2.0
// The printer's parts, for the linker: the sections of a module's text, with symbols renamed or left out.
#ifndef HEDDLE_PTX_PRINT_PRINT_H
#define HEDDLE_PTX_PRINT_PRINT_H
#include "base/map.h"
#include "ptx/ptx.h"

struct ptx_printer {
    struct str *out;
    const struct ptx_module *m;
    const struct map *renames; // by pointer to the variable or function: its name in the text; may be NULL
    const struct map *skips;   // by pointer: not printed, since another module defines it; may be NULL
    uint32_t file_base;        // added to the numbers of .file and .loc
    struct map module_names;   // by text, filled by ptx_print_begin
    struct arena arena;
    bool linked; // other modules may use the address of any kernel
};

void ptx_print_begin(struct ptx_printer *p);
void ptx_print_end(struct ptx_printer *p);
void ptx_print_header(struct ptx_printer *p);
void ptx_print_files(struct ptx_printer *p);
void ptx_print_declarations(struct ptx_printer *p); // functions, without bodies
void ptx_print_variables(struct ptx_printer *p);
void ptx_print_bodies(struct ptx_printer *p);
// Debug information, of texts that have any: all three sections, so that those of several modules stand in sets.
void ptx_print_sections(struct ptx_printer *p);
// Shared with the function printer.
const char *ptx_print_symbol(const struct ptx_printer *p, const void *symbol, const char *name);
void ptx_print_variable(struct ptx_printer *p, const struct ptx_var *v, const char *name);
void ptx_print_head(struct ptx_printer *p, const struct ptx_func *f,
                    const char *(*name)(const void *, const struct ptx_var *), const void *names);
void ptx_print_body(struct ptx_printer *p, const struct ptx_func *f);
void ptx_print_params(struct ptx_printer *p, struct ptx_var *const *list, uint32_t n,
                      const char *(*name)(const void *, const struct ptx_var *), const void *names);
#endif
