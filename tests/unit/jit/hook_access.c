// SPDX-License-Identifier: Apache-2.0
// Every hook says in hook_access.def what it does with memory of the program, so that no new one is forgotten by compute-sanitizer.
#include "test.h"
#include <string.h>

static const char *const hooks[] = {
#define HOOK(name, ...) #name,
#include "jit/abi/hooks.def"
#undef HOOK
};
static const char *const said[] = {
#define HOOK_ACCESS(name, operand, bytes, kind) #name,
#define HOOK_ENGINE(name)                       #name,
#define HOOK_WITHOUT(name)                      #name,
#include "jit/check/hook_access.def"
};

int main(void)
{
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        unsigned n = 0;
        for (size_t k = 0; k < sizeof said / sizeof *said; k++)
            n += !strcmp(hooks[i], said[k]);
        CHECK(n == 1);
    }
    CHECK(sizeof said == sizeof hooks);
    return test_summary();
}
