// SPDX-License-Identifier: Apache-2.0
// A program with annotations of every kind; part.c has some more in C.
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtSync.h>
#include <nvtx3/nvtx3.hpp>
#include <cstdio>
#include <cstring>

extern "C" void part(void);
struct library {
    static constexpr const char *name = "library";
};
struct greeting {
    static constexpr const char *message = "greeting";
};
struct io {
    static constexpr const char *name = "io";
    static constexpr unsigned id = 5;
};
static int work(int n)
{
    NVTX3_FUNC_RANGE();
    NVTX3_FUNC_RANGE_IF_IN(library, n > 1);
    return n;
}
int main()
{
    bool tool = nvtxRangePushA("outer") == 0;
    nvtxMark("plain");
    part();
    if (nvtxRangePop() != (tool ? 0 : NVTX_NO_PUSH_POP_TRACKING))
        return 1;
    nvtxNameCudaStreamA(0, "default");
    nvtxNameOsThread(1, "nobody listens");
    nvtxDomainSyncUserDestroy(nvtxDomainSyncUserCreate(nullptr, nullptr));
    nvtx3::v1::scoped_range all("all");
    {
        nvtx3::scoped_range_in<library> r{"coloured", nvtx3::rgb{127, 255, 0}, nvtx3::payload{42},
                                          nvtx3::named_category_in<library>::get<io>()};
        nvtx3::mark_in<library>(nvtx3::registered_string_in<library>::get<greeting>(), nvtx3::color{0x11223344});
    }
    nvtx3::range_handle h = nvtx3::start_range("anywhere", nvtx3::payload{uint64_t{7}});
    nvtx3::end_range(h);
    if (bool(h) != tool)
        return 1;
    {
        nvtx3::unique_range_in<library> a{"moved"}, b{std::move(a)};
    }
    std::string text = "a string";
    nvtx3::mark(text);
    return work(1) + work(2) != 3;
}
