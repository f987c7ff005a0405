// SPDX-License-Identifier: Apache-2.0
// The name that C++ has for a symbol, and without what it returns, namespaces, arguments of templates and parameters; from malloc.
#ifndef HEDDLE_BASE_TOOL_DEMANGLE_H
#define HEDDLE_BASE_TOOL_DEMANGLE_H
char *demangle(const char *symbol);
char *demangle_short(const char *demangled);
#endif
