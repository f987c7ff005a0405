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

template <class T> struct __heddle_no_limits {
    static constexpr bool is_specialized = false, is_signed = false, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = false, has_quiet_NaN = false, has_signaling_NaN = false;
    static constexpr bool has_denorm_loss = false, is_iec559 = false, is_bounded = false, is_modulo = false;
    static constexpr bool traps = false, tinyness_before = false;
    static constexpr int digits = 0, digits10 = 0, max_digits10 = 0, radix = 0;
    static constexpr int min_exponent = 0, min_exponent10 = 0, max_exponent = 0, max_exponent10 = 0;
    static constexpr float_denorm_style has_denorm = denorm_absent;
    static constexpr float_round_style round_style = round_toward_zero;
    HEDDLE_HD static constexpr T min() noexcept { return T(); }
    HEDDLE_HD static constexpr T max() noexcept { return T(); }
    HEDDLE_HD static constexpr T lowest() noexcept { return T(); }
    HEDDLE_HD static constexpr T epsilon() noexcept { return T(); }
    HEDDLE_HD static constexpr T round_error() noexcept { return T(); }
    HEDDLE_HD static constexpr T infinity() noexcept { return T(); }
    HEDDLE_HD static constexpr T quiet_NaN() noexcept { return T(); }
    HEDDLE_HD static constexpr T signaling_NaN() noexcept { return T(); }
    HEDDLE_HD static constexpr T denorm_min() noexcept { return T(); }
};
template <class T, bool S> struct __heddle_integer_limits : __heddle_no_limits<T> {
    static constexpr bool is_specialized = true, is_signed = S, is_integer = true, is_exact = true;
    static constexpr bool is_bounded = true, is_modulo = !S;
    static constexpr int digits = int(sizeof(T)) * 8 - S, digits10 = digits * 3 / 10, radix = 2;
    HEDDLE_HD static constexpr T max() noexcept
    {
        return T((((1ull << (digits - 1)) - 1) << 1) + 1);
    }
    HEDDLE_HD static constexpr T min() noexcept { return S ? T(-max() - 1) : T(0); }
    HEDDLE_HD static constexpr T lowest() noexcept { return min(); }
};
template <class T> struct __heddle_float_limits : __heddle_no_limits<T> {
    static constexpr bool is_specialized = true, is_signed = true, has_infinity = true, has_quiet_NaN = true;
    static constexpr bool has_signaling_NaN = true, is_iec559 = true, is_bounded = true;
    static constexpr int radix = 2;
    static constexpr float_denorm_style has_denorm = denorm_present;
    static constexpr float_round_style round_style = round_to_nearest;
    HEDDLE_HD static constexpr T round_error() noexcept { return T(0.5); }
};

template <class T> class numeric_limits : public __heddle_no_limits<T>
{
};
template <class T> class numeric_limits<const T> : public numeric_limits<T>
{
};
template <class T> class numeric_limits<volatile T> : public numeric_limits<T>
{
};
template <class T> class numeric_limits<const volatile T> : public numeric_limits<T>
{
};
#define HEDDLE_LIMITS(T)                                                                            \
    template <> class numeric_limits<T> : public __heddle_integer_limits<T, ((T)-1 < (T)0)>         \
    {                                                                                               \
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
    HEDDLE_HD static constexpr bool max() noexcept { return true; }
};
#define HEDDLE_LIMITS(T, P, suffix)                                                                          \
    template <> class numeric_limits<T> : public __heddle_float_limits<T>                                    \
    {                                                                                                        \
      public:                                                                                                \
        static constexpr int digits = P##_MANT_DIG__, digits10 = P##_DIG__, max_digits10 = P##_DECIMAL_DIG__; \
        static constexpr int min_exponent = P##_MIN_EXP__, min_exponent10 = P##_MIN_10_EXP__;                \
        static constexpr int max_exponent = P##_MAX_EXP__, max_exponent10 = P##_MAX_10_EXP__;                \
        HEDDLE_HD static constexpr T min() noexcept { return P##_MIN__; }                                    \
        HEDDLE_HD static constexpr T max() noexcept { return P##_MAX__; }                                    \
        HEDDLE_HD static constexpr T lowest() noexcept { return -P##_MAX__; }                                \
        HEDDLE_HD static constexpr T epsilon() noexcept { return P##_EPSILON__; }                            \
        HEDDLE_HD static constexpr T infinity() noexcept { return __builtin_huge_val##suffix(); }            \
        HEDDLE_HD static constexpr T quiet_NaN() noexcept { return __builtin_nan##suffix(""); }              \
        HEDDLE_HD static constexpr T signaling_NaN() noexcept { return __builtin_nans##suffix(""); }         \
        HEDDLE_HD static constexpr T denorm_min() noexcept { return P##_DENORM_MIN__; }                      \
    };
HEDDLE_LIMITS(float, __FLT, f)
HEDDLE_LIMITS(double, __DBL, )
#undef HEDDLE_LIMITS
} // namespace std
} // namespace cuda
#endif
