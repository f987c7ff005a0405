// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321), for names that clang makes of it.
#ifndef HEDDLE_FRONT_MD5_H
#define HEDDLE_FRONT_MD5_H
#include <stdint.h>

// The first 8 bytes of the text's digest, as a little-endian number.
uint64_t md5_low(const char *text);
#endif
