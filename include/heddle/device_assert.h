// SPDX-License-Identifier: Apache-2.0
// What the assert of the C library calls, for the device. The engine, or a GPU's driver, provides __assertfail. The word __device__ must not
// be a macro yet: clang's <new> takes it for a sign that malloc is declared for the device.
#ifndef HEDDLE_DEVICE_ASSERT_H
#define HEDDLE_DEVICE_ASSERT_H
extern "C" {
__attribute__((device)) void __assertfail(const char *message, const char *__file, unsigned __line,
                                          const char *function, decltype(sizeof 0) char_size);
__attribute__((nodebug, device)) static inline void __assert_fail(const char *message, const char *__file,
                                                                  unsigned __line, const char *function)
{
    __assertfail(message, __file, __line, function, sizeof(char));
}
}
#endif
