// `asm("add%2 ..." : ... : ..., "C"(name))`: an operand that is the text of a constant array. clang has no such
// constraint, but takes a text that it computes; the compiler driver writes (__heddle_asm_text<2>("add%2 ...", name)).
#ifndef HEDDLE_ASM_TEXT_H
#define HEDDLE_ASM_TEXT_H
#if __cplusplus >= 201402L
template <unsigned long N> struct __heddle_text {
    char text[N];
    unsigned long length;
    __host__ __device__ constexpr const char *data() const
    {
        return text;
    }
    __host__ __device__ constexpr unsigned long size() const
    {
        return length;
    }
    __host__ __device__ constexpr void add(const char *from, unsigned long n)
    {
        for (unsigned long i = 0; i < n && from[i]; i++)
            text[length++] = from[i];
    }
};
template <unsigned... I> struct __heddle_operands {
    // The operands' numbers are I; each may stand in the text many times.
    template <unsigned long N, unsigned long... M>
    static constexpr __heddle_text<N> write(const char *text, const char (&...arrays)[M])
    {
        const unsigned numbers[] = {I...};
        const char *const parts[] = {arrays...};
        const unsigned long sizes[] = {M...};
        __heddle_text<N> out = {};
        while (*text) {
            unsigned number = 0, digits = 0, is = sizeof...(I);
            while (*text == '%' && text[1 + digits] >= '0' && text[1 + digits] <= '9')
                number = number * 10 + unsigned(text[1 + digits++] - '0');
            for (unsigned i = 0; digits && i < sizeof...(I); i++)
                is = numbers[i] == number ? i : is;
            unsigned long n = digits ? 1 + digits : *text == '%' && text[1] ? 2 : 1;
            if (is < sizeof...(I))
                out.add(parts[is], sizes[is]);
            else
                out.add(text, n);
            text += n;
        }
        return out;
    }
};
constexpr unsigned long __heddle_sum()
{
    return 0;
}
template <class... T> constexpr unsigned long __heddle_sum(unsigned long first, T... rest)
{
    return first + __heddle_sum(rest...);
}
template <unsigned... I, unsigned long N, unsigned long... M>
constexpr __heddle_text<N + 16 * __heddle_sum(M...)> __heddle_asm_text(const char (&text)[N], const char (&...arrays)[M])
{
    return __heddle_operands<I...>::template write<N + 16 * __heddle_sum(M...)>(text, arrays...);
}
#endif
#endif
