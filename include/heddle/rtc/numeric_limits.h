// SPDX-License-Identifier: Apache-2.0
// cuda::std::numeric_limits where there is no C++ library.
#ifndef HEDDLE_RTC_NUMERIC_LIMITS_H
#define HEDDLE_RTC_NUMERIC_LIMITS_H
#include "heddle/cuda_std.h"
namespace cuda
{
namespace std
{
enum float_round_style {
    round_indeterminate = -1,
    round_toward_zero = 0,
    round_to_nearest = 1,
    round_toward_infinity = 2,
    round_toward_neg_infinity = 3
};
enum float_denorm_style { denorm_indeterminate = -1, denorm_absent = 0, denorm_present = 1 };

template <class __T> struct __heddle_no_limits {
    static constexpr bool is_specialized = false, is_signed = false, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = false, has_quiet_NaN = false, has_signaling_NaN = false;
    static constexpr bool has_denorm_loss = false, is_iec559 = false, is_bounded = false, is_modulo = false;
    static constexpr bool traps = false, tinyness_before = false;
    static constexpr int digits = 0, digits10 = 0, max_digits10 = 0, radix = 0;
    static constexpr int min_exponent = 0, min_exponent10 = 0, max_exponent = 0, max_exponent10 = 0;
    static constexpr float_denorm_style has_denorm = denorm_absent;
    static constexpr float_round_style round_style = round_toward_zero;
    HEDDLE_HD static constexpr __T min() noexcept
    {
        return __T();
    }
    HEDDLE_HD static constexpr __T max() noexcept
    {
        return __T();
    }
    HEDDLE_HD static constexpr __T lowest() noexcept
    {
        return __T();
    }
    HEDDLE_HD static constexpr __T epsilon() noexcept
    {
        return __T();
    }
    HEDDLE_HD static constexpr __T round_error() noexcept
    {
        return __T();
    }
    HEDDLE_HD static constexpr __T infinity() noexcept
    {
        return __T();
    }
    HEDDLE_HD static constexpr __T quiet_NaN() noexcept
    {
        return __T();
    }
    HEDDLE_HD static constexpr __T signaling_NaN() noexcept
    {
        return __T();
    }
    HEDDLE_HD static constexpr __T denorm_min() noexcept
    {
        return __T();
    }
};
template <class __T, bool __S> struct __heddle_integer_limits : __heddle_no_limits<__T> {
    static constexpr bool is_specialized = true, is_signed = __S, is_integer = true, is_exact = true;
    static constexpr bool is_bounded = true, is_modulo = !__S;
    static constexpr int digits = int(sizeof(__T)) * 8 - __S, digits10 = digits * 3 / 10, radix = 2;
    HEDDLE_HD static constexpr __T max() noexcept
    {
        return __T((((1ull << (digits - 1)) - 1) << 1) + 1);
    }
    HEDDLE_HD static constexpr __T min() noexcept
    {
        return __S ? __T(-max() - 1) : __T(0);
    }
    HEDDLE_HD static constexpr __T lowest() noexcept
    {
        return min();
    }
};
template <class __T> struct __heddle_float_limits : __heddle_no_limits<__T> {
    static constexpr bool is_specialized = true, is_signed = true, has_infinity = true, has_quiet_NaN = true;
    static constexpr bool has_signaling_NaN = true, is_iec559 = true, is_bounded = true;
    static constexpr int radix = 2;
    static constexpr float_denorm_style has_denorm = denorm_present;
    static constexpr float_round_style round_style = round_to_nearest;
    HEDDLE_HD static constexpr __T round_error() noexcept
    {
        return __T(0.5);
    }
};

template <class __T> class numeric_limits : public __heddle_no_limits<__T>
{
};
template <class __T> class numeric_limits<const __T> : public numeric_limits<__T>
{
};
template <class __T> class numeric_limits<volatile __T> : public numeric_limits<__T>
{
};
template <class __T> class numeric_limits<const volatile __T> : public numeric_limits<__T>
{
};
#define HEDDLE_LIMITS(__T)                                                                                             \
    template <> class numeric_limits<__T> : public __heddle_integer_limits<__T, ((__T) - 1 < (__T)0)>                  \
    {                                                                                                                  \
    };
HEDDLE_LIMITS(char)
HEDDLE_LIMITS(signed char)
HEDDLE_LIMITS(unsigned char)
HEDDLE_LIMITS(wchar_t)
HEDDLE_LIMITS(char16_t)
HEDDLE_LIMITS(char32_t)
HEDDLE_LIMITS(short)
HEDDLE_LIMITS(unsigned short)
HEDDLE_LIMITS(int)
HEDDLE_LIMITS(unsigned int)
HEDDLE_LIMITS(long)
HEDDLE_LIMITS(unsigned long)
HEDDLE_LIMITS(long long)
HEDDLE_LIMITS(unsigned long long)
#undef HEDDLE_LIMITS
template <> class numeric_limits<bool> : public __heddle_integer_limits<bool, false>
{
  public:
    static constexpr bool is_modulo = false;
    static constexpr int digits = 1, digits10 = 0;
    HEDDLE_HD static constexpr bool max() noexcept
    {
        return true;
    }
};
#define HEDDLE_LIMITS(__T, __P_, suffix)                                                                               \
    template <> class numeric_limits<__T> : public __heddle_float_limits<__T>                                          \
    {                                                                                                                  \
      public:                                                                                                          \
        static constexpr int digits = __P_##_MANT_DIG__, digits10 = __P_##_DIG__, max_digits10 = __P_##_DECIMAL_DIG__; \
        static constexpr int min_exponent = __P_##_MIN_EXP__, min_exponent10 = __P_##_MIN_10_EXP__;                    \
        static constexpr int max_exponent = __P_##_MAX_EXP__, max_exponent10 = __P_##_MAX_10_EXP__;                    \
        HEDDLE_HD static constexpr __T min() noexcept                                                                  \
        {                                                                                                              \
            return __P_##_MIN__;                                                                                       \
        }                                                                                                              \
        HEDDLE_HD static constexpr __T max() noexcept                                                                  \
        {                                                                                                              \
            return __P_##_MAX__;                                                                                       \
        }                                                                                                              \
        HEDDLE_HD static constexpr __T lowest() noexcept                                                               \
        {                                                                                                              \
            return -__P_##_MAX__;                                                                                      \
        }                                                                                                              \
        HEDDLE_HD static constexpr __T epsilon() noexcept                                                              \
        {                                                                                                              \
            return __P_##_EPSILON__;                                                                                   \
        }                                                                                                              \
        HEDDLE_HD static constexpr __T infinity() noexcept                                                             \
        {                                                                                                              \
            return __builtin_huge_val##suffix();                                                                       \
        }                                                                                                              \
        HEDDLE_HD static constexpr __T quiet_NaN() noexcept                                                            \
        {                                                                                                              \
            return __builtin_nan##suffix("");                                                                          \
        }                                                                                                              \
        HEDDLE_HD static constexpr __T signaling_NaN() noexcept                                                        \
        {                                                                                                              \
            return __builtin_nans##suffix("");                                                                         \
        }                                                                                                              \
        HEDDLE_HD static constexpr __T denorm_min() noexcept                                                           \
        {                                                                                                              \
            return __P_##_DENORM_MIN__;                                                                                \
        }                                                                                                              \
    };
HEDDLE_LIMITS(float, __FLT, f)
HEDDLE_LIMITS(double, __DBL, )
#undef HEDDLE_LIMITS
} // namespace std
} // namespace cuda
#endif
