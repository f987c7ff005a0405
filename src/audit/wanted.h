// SPDX-License-Identifier: Apache-2.0
// What the name of a library asks for.
#ifndef HEDDLE_AUDIT_WANTED_H
#define HEDDLE_AUDIT_WANTED_H
#include <stdbool.h>

enum { ANY_MAJOR = -1 };
struct wanted {
    const char *stem; // of library.def
    bool driver;      // a part of the GPU's driver
    int major;        // the soname's version; ANY_MAJOR: the name has none
};

// Reads libSTEM[-HASH].so[.MAJOR[.MINOR...]], with or without folders before it; the hash of eight digits is what tools that
// repair Python's wheels put there. False: it is none of the libraries of library.def.
bool wanted_parse(const char *name, struct wanted *w);
#endif
