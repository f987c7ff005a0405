// SPDX-License-Identifier: Apache-2.0
// `asm("add%2 ..." : ... : ..., "C"(name))`: an operand that is the text of a constant array. clang has no such
// constraint, but takes a text that it computes; the compiler driver writes (__heddle_asm_text<2>("add%2 ...", name)).
#ifndef HEDDLE_ASM_TEXT_H
#define HEDDLE_ASM_TEXT_H
#if __cplusplus >= 201402L
template <unsigned long __N> struct __heddle_text {
    char text[__N];
    unsigned long length;
    __host__ __device__ constexpr const char *data() const
    {
        return text;
    }
    __host__ __device__ constexpr unsigned long size() const
    {
        return length;
    }
    __host__ __device__ constexpr void add(const char *from, unsigned long __n)
    {
        for (unsigned long __i = 0; __i < __n && from[__i]; __i++)
            text[length++] = from[__i];
    }
};
template <unsigned... __I> struct __heddle_operands {
    // The operands' numbers are I; each may stand in the text many times.
    template <unsigned long __N, unsigned long... __M>
    static constexpr __heddle_text<__N> write(const char *text, const char (&...arrays)[__M])
    {
        const unsigned numbers[] = {__I...};
        const char *const parts[] = {arrays...};
        const unsigned long sizes[] = {__M...};
        __heddle_text<__N> out = {};
        while (*text) {
            unsigned number = 0, digits = 0, __is = sizeof...(__I);
            while (*text == '%' && text[1 + digits] >= '0' && text[1 + digits] <= '9')
                number = number * 10 + unsigned(text[1 + digits++] - '0');
            for (unsigned __i = 0; digits && __i < sizeof...(__I); __i++)
                __is = numbers[__i] == number ? __i : __is;
            unsigned long __n = digits ? 1 + digits : *text == '%' && text[1] ? 2 : 1;
            if (__is < sizeof...(__I))
                out.add(parts[__is], sizes[__is]);
            else
                out.add(text, __n);
            text += __n;
        }
        return out;
    }
};
constexpr unsigned long __heddle_sum()
{
    return 0;
}
template <class... __T> constexpr unsigned long __heddle_sum(unsigned long first, __T... rest)
{
    return first + __heddle_sum(rest...);
}
template <unsigned... __I, unsigned long __N, unsigned long... __M>
constexpr __heddle_text<__N + 16 * __heddle_sum(__M...)> __heddle_asm_text(const char (&text)[__N],
                                                                           const char (&...arrays)[__M])
{
    return __heddle_operands<__I...>::template write<__N + 16 * __heddle_sum(__M...)>(text, arrays...);
}
#endif
#endif
