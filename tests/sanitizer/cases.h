// SPDX-License-Identifier: Apache-2.0
// Cases of one program, by name: CASE(name) { ... } each, and CASES behind the last.
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct one_case {
    const char *name;
    void (*run)();
    one_case *next;
    static one_case *&all()
    {
        static one_case *first;
        return first;
    }
    one_case(const char *n, void (*r)()) : name(n), run(r), next(all())
    {
        all() = this;
    }
};

#define CASE(name)                                                                                                     \
    static void case_##name();                                                                                         \
    static one_case row_##name(#name, case_##name);                                                                    \
    static void case_##name()

// The end waits for what was launched without asking what became of it.
#define CASES                                                                                                          \
    int main(int, char **argv)                                                                                         \
    {                                                                                                                  \
        for (one_case *c = one_case::all(); c; c = c->next)                                                            \
            if (!strcmp(c->name, argv[1])) {                                                                           \
                c->run();                                                                                              \
                cudaDeviceSynchronize();                                                                               \
                return 0;                                                                                              \
            }                                                                                                          \
        return 8;                                                                                                      \
    }

template <typename T> static T *device(size_t n)
{
    void *p = nullptr;
    cudaMalloc(&p, n * sizeof(T));
    return (T *)p;
}
