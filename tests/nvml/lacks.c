// SPDX-License-Identifier: Apache-2.0
// Functions of NVML whose answer no CPU has: each is there, and says so; before nvmlInit that nothing is open; and the few that a CPU answers.
#include "test.h"
#include <dlfcn.h>
#include <nvml.h>
#include <sched.h>
#include <string.h>

#define R                                             nvmlReturn_t
#define ROW(result, name, params, args, call, status) #name,
static const char *const names[] = {
#include "nvml/lack.def"
};
#undef ROW

// By registers alone, as the ABIs of both architectures allow: all of these take up to six integers and pointers.
typedef nvmlReturn_t any_fn(void *, void *, void *, void *, void *, void *);

int main(void)
{
    const unsigned n = sizeof names / sizeof *names;
    nvmlDevice_t device;
    unsigned long set[32];
    cpu_set_t here;
    nvmlGpuTopologyLevel_t level;
    nvmlGpuP2PStatus_t status;
    unsigned count = 7;
    CHECK(n > 300);
    for (int open = 0; open < 2; open++) {
        if (open) {
            CHECK(nvmlInit() == NVML_SUCCESS);
            CHECK(nvmlDeviceGetHandleByIndex(0, &device) == NVML_SUCCESS);
        }
        for (unsigned i = 0; i < n; i++) {
            any_fn *f = (any_fn *)dlsym(RTLD_DEFAULT, names[i]);
            CHECK(f);
            nvmlReturn_t r = f ? f(open ? device : NULL, NULL, NULL, NULL, NULL, NULL) : NVML_SUCCESS;
            if (r != (open ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_UNINITIALIZED))
                printf("%s: %d\n", names[i], (int)r);
            CHECK(r == (open ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_UNINITIALIZED));
        }
    }
    CHECK(nvmlDeviceGetSupportedVgpus(NULL, &count, NULL) == NVML_ERROR_INVALID_ARGUMENT);
    // What a CPU answers.
    CHECK(nvmlDeviceGetCpuAffinity(device, 32, set) == NVML_SUCCESS && !sched_getaffinity(0, sizeof here, &here));
    CHECK(!memcmp(set, &here, sizeof here < sizeof set ? sizeof here : sizeof set));
    CHECK(nvmlDeviceGetCpuAffinityWithinScope(device, 1, set, NVML_AFFINITY_SCOPE_NODE) == NVML_SUCCESS);
    CHECK(nvmlDeviceGetCpuAffinityWithinScope(device, 1, set, 9) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(nvmlDeviceGetCpuAffinity(device, 0, set) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(nvmlDeviceGetTopologyCommonAncestor(device, device, &level) == NVML_SUCCESS &&
          level == NVML_TOPOLOGY_INTERNAL);
    CHECK(nvmlDeviceGetTopologyCommonAncestor(device, NULL, &level) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(nvmlDeviceGetP2PStatus(device, device, NVML_P2P_CAPS_INDEX_READ, &status) == NVML_SUCCESS && !status);
    CHECK(nvmlDeviceGetP2PStatus(device, device, NVML_P2P_CAPS_INDEX_NVLINK, &status) == NVML_SUCCESS && status);
    CHECK(nvmlDeviceIsMigDeviceHandle(device, &count) == NVML_SUCCESS && !count);
    CHECK(nvmlGetExcludedDeviceCount(&count) == NVML_SUCCESS && !count);
    // Layouts carry their versions.
    CHECK(nvmlEccSramErrorStatus_v1 >> 24 == 1 && sizeof(nvmlSample_t) == 16 && sizeof(nvmlFieldValue_t) == 40);
    CHECK(nvmlShutdown() == NVML_SUCCESS);
    return test_summary();
}
