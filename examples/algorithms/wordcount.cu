// SPDX-License-Identifier: Apache-2.0
// Words of a text and how often each stands there, with Thrust: hashes of the words, a sort, and a reduction by key.
#include "../check.h"
#if __has_include(<thrust/sort.h>)
#include <map>
#include <string>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>

__host__ __device__ bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr unsigned NO_WORD = 0;
// FNV-1a of the word in small letters.
__host__ __device__ unsigned hash_of(const char *text, int size, int i)
{
    unsigned h = 2166136261u;
    for (; i < size && is_letter(text[i]); i++)
        h = (h ^ (unsigned char)(text[i] | 32)) * 16777619u;
    return h;
}
struct hash_word {
    const char *text;
    int size;
    __device__ unsigned operator()(int i) const
    {
        bool begins = is_letter(text[i]) && (!i || !is_letter(text[i - 1]));
        return begins ? hash_of(text, size, i) : NO_WORD;
    }
};

int main()
{
    const std::string verse =
        "The loom lifts the warp and the shuttle carries the weft. A heddle lifts single threads, "
        "and threads that are lifted let the shuttle pass: warp by warp, thread by thread. ";
    std::string text;
    for (int i = 0; i < 200; i++)
        text += verse;
    int size = (int)text.size();

    // A hash for each place where a word begins, none elsewhere; those are dropped, the others sorted, and equal ones counted.
    thrust::device_vector<char> chars(text.begin(), text.end());
    thrust::device_vector<unsigned> hash(size), one(size, 1u), word(size), count(size);
    thrust::tabulate(hash.begin(), hash.end(), hash_word{thrust::raw_pointer_cast(chars.data()), size});
    hash.resize(thrust::remove(hash.begin(), hash.end(), NO_WORD) - hash.begin());
    thrust::sort(hash.begin(), hash.end());
    auto end = thrust::reduce_by_key(hash.begin(), hash.end(), one.begin(), word.begin(), count.begin());
    int words = (int)(end.first - word.begin());

    std::map<unsigned, int> want;
    for (int i = 0; i < size; i++)
        if (is_letter(text[i]) && (!i || !is_letter(text[i - 1])))
            want[hash_of(text.data(), size, i)]++;
    bool right = words == (int)want.size();
    for (int i = 0; i < words; i++)
        right = right && want[word[i]] == (int)count[i];
    printf("%d words, %d of them different; \"the\" %d times\n", (int)hash.size(), words, want[hash_of("the", 3, 0)]);
    return verdict(right && want[hash_of("the", 3, 0)] == 5 * 200);
}
#else
int main()
{
    puts("skipped: there is no Thrust");
    return 77;
}
#endif
