// SPDX-License-Identifier: Apache-2.0
// LLVM's variables live as long as the process. A process may end while a thread compiles, and a forked child ends with LLVM's
// locks as they were at the fork: both would meet destructors. The linker gives us what LLVM's C++ asks of the C library
// (--wrap), and nothing is entered there.
int __wrap___cxa_atexit(void (*destroy)(void *), void *object, void *library);

int __wrap___cxa_atexit(void (*destroy)(void *), void *object, void *library)
{
    (void)destroy;
    (void)object;
    (void)library;
    return 0;
}
