// SPDX-License-Identifier: Apache-2.0
// The debug information of a PTX text, as far as a debugger needs it to show a function's variables.
#ifndef HEDDLE_PTX_DWARF_H
#define HEDDLE_PTX_DWARF_H
#include "base/map.h"
#include "base/vec.h"
#include "ptx/ptx.h"

// Tags of DWARF that are looked at.
enum {
    DWARF_ARRAY = 0x01,
    DWARF_CLASS = 0x02,
    DWARF_ENUM = 0x04,
    DWARF_PARAMETER = 0x05,
    DWARF_BLOCK = 0x0b,
    DWARF_MEMBER = 0x0d,
    DWARF_POINTER = 0x0f,
    DWARF_REFERENCE = 0x10,
    DWARF_STRUCT = 0x13,
    DWARF_TYPEDEF = 0x16,
    DWARF_UNION = 0x17,
    DWARF_INHERITANCE = 0x1c,
    DWARF_SUBRANGE = 0x21,
    DWARF_BASE = 0x24,
    DWARF_CONST = 0x26,
    DWARF_SUBPROGRAM = 0x2e,
    DWARF_VARIABLE = 0x34,
    DWARF_VOLATILE = 0x35,
    DWARF_RVALUE = 0x42
};

struct dwarf_entry {
    uint32_t offset; // in .debug_info; of a linked text, behind those of the texts before
    uint32_t tag;
    int parent; // index; -1: a unit
    const char *name, *linkage;
    uint32_t type;     // offset of its type's entry; 0: none
    uint32_t origin;   // offset of the entry that it completes; 0: none
    uint64_t size;     // bytes
    uint32_t encoding; // of base types
    uint64_t at;       // members: offset
    int64_t count;     // of a subrange; -1: not known
    uint32_t line;
    bool code;          // a subprogram with machine code
    const char *symbol; // variables: they lie at symbol + offset; NULL: elsewhere
    uint64_t symbol_offset;
};

struct dwarf {
    struct VEC(struct dwarf_entry) entries; // parents before their children
    struct map by_offset;                   // offset -> index, plus one
};

// False where the text has none, or none that is understood; the rest is then empty.
bool dwarf_read(struct dwarf *d, const struct ptx_module *m);
void dwarf_fini(struct dwarf *d);
const struct dwarf_entry *dwarf_at(const struct dwarf *d, uint32_t offset); // or NULL
// The entry of the function, or -1.
int dwarf_function(const struct dwarf *d, const char *name);
// Is the entry a variable of the function, or of a block in it?
bool dwarf_is_variable(const struct dwarf *d, int function, int entry);
// The last name in a mangled one: _ZN1a1bIiEEvT_ is b. Others are names as they stand.
void ptx_base_name(const char *linkage, const char **name, size_t *len);
#endif
