// SPDX-License-Identifier: Apache-2.0
// See stddef_types.h. Takes back the macros that only the headers needed: sources define their own. So go those that
// name a host's compiler and system: a source compiled at run time has neither, and libraries that know this kind of
// compilation take another path where they see one.
#undef CHAR_BIT
#undef CHAR_MAX
#undef CHAR_MIN
#undef SCHAR_MAX
#undef SCHAR_MIN
#undef UCHAR_MAX
#undef SHRT_MAX
#undef SHRT_MIN
#undef USHRT_MAX
#undef INT_MAX
#undef INT_MIN
#undef UINT_MAX
#undef LONG_MAX
#undef LONG_MIN
#undef ULONG_MAX
#undef LLONG_MAX
#undef LLONG_MIN
#undef ULLONG_MAX
#undef FP_NAN
#undef FP_INFINITE
#undef FP_ZERO
#undef FP_SUBNORMAL
#undef FP_NORMAL
#undef HUGE_VAL
#undef HUGE_VALF
#undef INFINITY
#undef NAN
#undef __clang__
#undef __clang_major__
#undef __clang_minor__
#undef __clang_patchlevel__
#undef __clang_version__
#undef __llvm__
#undef __GNUC__
#undef __GNUC_MINOR__
#undef __GNUC_PATCHLEVEL__
#undef __GNUG__
#undef __VERSION__
#undef __CUDA__
#undef __linux__
#undef __linux
#undef __gnu_linux__
#undef __unix__
#undef __unix
#undef __x86_64__
#undef __x86_64
#undef __amd64__
#undef __amd64
#undef __aarch64__
#ifndef __CUDACC_RTC_INT128__
#undef __SIZEOF_INT128__
#endif
