// SPDX-License-Identifier: Apache-2.0
// Libraries around the compiler and the device, by the names that build systems have for them.
#ifdef WITH_NCCL
#include <nccl.h>
#endif
#include <nvFatbin.h>
#include <nvJitLink.h>
#include <nvPTXCompiler.h>
#include <nvml.h>

int main(void)
{
    unsigned major = 0, minor = 0, devices = 0;
    if (nvPTXCompilerGetVersion(&major, &minor) || !major)
        return 1;
#ifdef WITH_NCCL
    int version = 0;
    if (ncclGetVersion(&version) || version != NCCL_VERSION_CODE)
        return 5;
#endif
#ifdef WITH_LINK
    if (nvJitLinkVersion(&major, &minor) || major != 13)
        return 2;
#endif
#ifdef WITH_FATBIN
    if (nvFatbinVersion(&major, &minor) || major != 13)
        return 3;
#endif
    return nvmlInit() || nvmlDeviceGetCount(&devices) || !devices || nvmlShutdown() ? 4 : 0;
}
