// SPDX-License-Identifier: Apache-2.0
// Names of C++: by the C++ library of the machine, where it has one; else a symbol stays what it is.
#include "base/tool/demangle.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

char *demangle(const char *symbol)
{
    static char *(*function)(const char *, char *, size_t *, int *);
    static bool sought;
    if (!sought) {
        void *h = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
        h = h ? h : dlopen("libc++abi.so.1", RTLD_NOW | RTLD_LOCAL);
        function = h ? (char *(*)(const char *, char *, size_t *, int *))dlsym(h, "__cxa_demangle") : NULL;
        sought = true;
    }
    int status = -1;
    char *name = function && !strncmp(symbol, "_Z", 2) ? function(symbol, NULL, NULL, &status) : NULL;
    return name ? name : strdup(symbol);
}

// "void a::f<int>(float*)" is f: without what it returns, namespaces, arguments of templates and parameters.
char *demangle_short(const char *name)
{
    int depth = 0;
    const char *begin = name, *end = NULL;
    for (const char *p = name; *p; p++) {
        if (*p == '(' && !strncmp(p, "(anonymous namespace)", 21)) {
            p += 20;
            continue;
        }
        if ((*p == '<' || *p == '(') && !depth && !end)
            end = p;
        if (*p == '<' || *p == '(')
            depth++;
        else if (*p == '>' || *p == ')')
            depth--;
        else if (!depth && (*p == ':' || *p == ' ')) {
            if (end && *end == '(') // what follows the parameters
                break;
            begin = p + 1;
            end = NULL;
        }
    }
    return end && end > begin ? strndup(begin, (size_t)(end - begin)) : strdup(begin);
}
