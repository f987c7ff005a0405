// SPDX-License-Identifier: Apache-2.0
// Run-time compilation knows no C or C++ library. The headers of this folder stand for the few of it that CUDA's own
// headers and clang's ask for, and bring in nothing but what those need. Here: the types that a source has without
// including anything.
#ifndef HEDDLE_RTC_STDDEF_TYPES_H
#define HEDDLE_RTC_STDDEF_TYPES_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __builtin_va_list va_list;
typedef long clock_t;
namespace std
{
using ::ptrdiff_t;
using ::size_t;
typedef decltype(nullptr) nullptr_t;
} // namespace std
#ifndef NULL
#define NULL __null
#endif
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list)         __builtin_va_end(list)
#define va_arg(list, type)   __builtin_va_arg(list, type)
#define va_copy(__to, from)  __builtin_va_copy(__to, from)
#endif
