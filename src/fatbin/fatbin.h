// SPDX-License-Identifier: Apache-2.0
// The fat binary format: what reader and writer share. A fat binary is a header and a row of entries, each a PTX text
// or machine code for one architecture; little-endian, 8-byte aligned.
#ifndef HEDDLE_FATBIN_FATBIN_H
#define HEDDLE_FATBIN_FATBIN_H
#include <stdint.h>

#define FATBIN_WRAPPER_MAGIC 0x466243b1u
#define FATBIN_MAGIC         0xba55ed50u

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_ELF = 2, FATBIN_LTO = 8 };

enum fatbin_flag {
    FATBIN_64BIT = 0x1,
    FATBIN_DEBUG = 0x2,
    FATBIN_LINUX = 0x10,
    FATBIN_LZ4 = 0x2000,
    FATBIN_ZSTD = 0x8000,
};

// In a program's memory (section .nvFatBinSegment), handed to __cudaRegisterFatBinary. Version 2 comes from a device
// link: `data` is then the linked machine code and `objects` a NULL-terminated array of the objects' fat binaries.
struct fatbin_wrapper {
    uint32_t magic, version;
    const void *data;
    const void *const *objects;
};

struct fatbin_header {
    uint32_t magic;
    uint16_t version, header_size;
    uint64_t size; // of what follows
};

struct fatbin_entry_header {
    uint16_t kind, version; // version: 0x101
    uint32_t header_size;
    uint64_t size; // of the payload, padded to 8; the next entry follows it
    uint32_t compressed_size;
    uint32_t options_offset;
    uint16_t minor, major; // of the PTX language
    uint32_t sm;
    uint32_t name_offset, name_size;
    uint64_t flags;
    uint64_t reserved;
    uint64_t full_size; // uncompressed; 0 where nothing is compressed
};

_Static_assert(sizeof(struct fatbin_header) == 16, "layout of the file");
_Static_assert(sizeof(struct fatbin_entry_header) == 64, "layout of the file");
#endif
