// SPDX-License-Identifier: Apache-2.0
// NVML: its answers against libcudart's and the system's, and every error. HEDDLE_DEVICES is 2.
#include "test.h"
#include <cuda_runtime_api.h>
#include <nvml.h>
#include <string.h>
#include <unistd.h>

#define EXPECT(call, wanted) CHECK_RESULT(call, wanted, nvmlErrorString)
#define OK(call)             EXPECT(call, NVML_SUCCESS)
#define INVALID              NVML_ERROR_INVALID_ARGUMENT

static void test_open(void)
{
    unsigned n = 9;
    nvmlDevice_t d = NULL;
    EXPECT(nvmlDeviceGetCount(&n), NVML_ERROR_UNINITIALIZED);
    EXPECT(nvmlDeviceGetHandleByIndex(0, &d), NVML_ERROR_UNINITIALIZED);
    EXPECT(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
    EXPECT(nvmlInitWithFlags(1 << 20), INVALID);
    OK(nvmlInit());
    OK(nvmlInitWithFlags(NVML_INIT_FLAG_NO_GPUS)); // counted
    OK(nvmlShutdown());
    OK(nvmlDeviceGetCount(&n));
    CHECK(n == 2);
    OK(nvmlShutdown());
    EXPECT(nvmlDeviceGetCount(&n), NVML_ERROR_UNINITIALIZED);
    CHECK(!strcmp(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED), "Not Supported"));
    CHECK(!strcmp(nvmlErrorString((nvmlReturn_t)12345), "Unknown Error"));
}

static void test_system(void)
{
    char text[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE];
    int version = 0, driver = 0;
    unsigned n = 9;
    OK(nvmlSystemGetDriverVersion(text, sizeof text));
    CHECK(*text);
    EXPECT(nvmlSystemGetDriverVersion(text, 2), NVML_ERROR_INSUFFICIENT_SIZE);
    EXPECT(nvmlSystemGetDriverVersion(NULL, 80), INVALID);
    OK(nvmlSystemGetNVMLVersion(text, sizeof text));
    CHECK(!strncmp(text, "13.", 3));
    OK(nvmlSystemGetCudaDriverVersion(&version));
    CHECK(!cudaDriverGetVersion(&driver) && version == driver);
    EXPECT(nvmlSystemGetCudaDriverVersion_v2(NULL), INVALID);
    OK(nvmlSystemGetProcessName((unsigned)getpid(), text, sizeof text));
    CHECK(strstr(text, "nvml"));
    EXPECT(nvmlSystemGetProcessName(0x7fffffff, text, sizeof text), NVML_ERROR_NOT_FOUND);
    EXPECT(nvmlSystemGetProcessName(1, NULL, 3), INVALID);
    OK(nvmlUnitGetCount(&n));
    CHECK(n == 0);
}

static void test_identity(unsigned index)
{
    nvmlDevice_t d = NULL, same = NULL;
    struct cudaDeviceProp p;
    char text[96], bus[32];
    unsigned n = 9;
    int major = 0, minor = 0, board = 0;
    nvmlPciInfo_t pci;
    nvmlDeviceArchitecture_t arch = 0;
    CHECK(!cudaGetDeviceProperties(&p, (int)index));
    OK(nvmlDeviceGetHandleByIndex(index, &d));
    OK(nvmlDeviceGetIndex(d, &n));
    CHECK(n == index);
    OK(nvmlDeviceGetMinorNumber(d, &n));
    CHECK(n == index);
    OK(nvmlDeviceGetName(d, text, sizeof text));
    CHECK(*text && !strncmp(text, p.name, strlen(text)));
    OK(nvmlDeviceGetName(d, text, NVML_DEVICE_NAME_BUFFER_SIZE));
    EXPECT(nvmlDeviceGetName(d, text, 3), NVML_ERROR_INSUFFICIENT_SIZE);
    OK(nvmlDeviceGetUUID(d, text, NVML_DEVICE_UUID_BUFFER_SIZE));
    snprintf(bus, sizeof bus, "GPU-%02x%02x", (unsigned char)p.uuid.bytes[0], (unsigned char)p.uuid.bytes[1]);
    CHECK(strlen(text) == 40 && !strncmp(text, bus, strlen(bus)));
    OK(nvmlDeviceGetHandleByUUID(text, &same));
    CHECK(same == d);
    OK(nvmlDeviceGetPciInfo(d, &pci));
    CHECK((int)pci.bus == p.pciBusID && (int)pci.domain == p.pciDomainID && (int)pci.device == p.pciDeviceID);
    CHECK(strlen(pci.busId) == 16 && strlen(pci.busIdLegacy) == 12);
    same = NULL;
    OK(nvmlDeviceGetHandleByPciBusId(pci.busId, &same));
    CHECK(same == d);
    CHECK(!cudaDeviceGetPCIBusId(bus, sizeof bus, (int)index));
    OK(nvmlDeviceGetHandleByPciBusId(bus, &same));
    CHECK(same == d);
    OK(nvmlDeviceGetCudaComputeCapability(d, &major, &minor));
    CHECK(major == p.major && minor == p.minor);
    OK(nvmlDeviceGetArchitecture(d, &arch));
    CHECK(major != 9 || arch == NVML_DEVICE_ARCH_HOPPER);
    OK(nvmlDeviceGetNumGpuCores(d, &n));
    CHECK((int)n == p.multiProcessorCount);
    OK(nvmlDeviceOnSameBoard(d, same, &board));
    CHECK(board == 1);
}

static void test_state(void)
{
    nvmlDevice_t d = NULL;
    nvmlMemory_t m;
    nvmlMemory_v2_t m2 = {.version = nvmlMemory_v2};
    nvmlUtilization_t u;
    size_t free_bytes, total;
    unsigned n = 0, most = 0;
    unsigned long long energy;
    nvmlComputeMode_t mode = NVML_COMPUTEMODE_PROHIBITED;
    nvmlEnableState_t on = NVML_FEATURE_DISABLED;
    OK(nvmlDeviceGetHandleByIndex(0, &d));
    OK(nvmlDeviceGetMemoryInfo(d, &m));
    CHECK(!cudaMemGetInfo(&free_bytes, &total) && m.total == total);
    CHECK(m.total == m.free + m.used && m.free > 0);
    OK(nvmlDeviceGetMemoryInfo_v2(d, &m2));
    CHECK(m2.total == m.total && m2.total == m2.free + m2.used + m2.reserved);
    m2.version = 1;
    EXPECT(nvmlDeviceGetMemoryInfo_v2(d, &m2), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
    for (int i = 0; i < 3; i++) {
        OK(nvmlDeviceGetUtilizationRates(d, &u));
        CHECK(u.gpu <= 100 && u.memory <= 100);
    }
    // What a system does not tell is not supported.
    nvmlReturn_t r = nvmlDeviceGetTemperature(d, NVML_TEMPERATURE_GPU, &n);
    CHECK(r == NVML_SUCCESS ? n > 0 && n < 150 : r == NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetTemperature(d, (nvmlTemperatureSensors_t)7, &n), INVALID);
    r = nvmlDeviceGetPowerUsage(d, &n);
    CHECK(r == NVML_SUCCESS || r == NVML_ERROR_NOT_SUPPORTED);
    CHECK(nvmlDeviceGetTotalEnergyConsumption(d, &energy) == r);
    r = nvmlDeviceGetClockInfo(d, NVML_CLOCK_SM, &n);
    CHECK(r == NVML_SUCCESS ? n > 0 : r == NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetClock(d, NVML_CLOCK_SM, NVML_CLOCK_ID_CURRENT, &n), r);
    EXPECT(nvmlDeviceGetClock(d, NVML_CLOCK_SM, (nvmlClockId_t)77, &n), INVALID);
    OK(nvmlDeviceGetMaxClockInfo(d, NVML_CLOCK_GRAPHICS, &most));
    CHECK(most > 0);
    EXPECT(nvmlDeviceGetClockInfo(d, NVML_CLOCK_MEM, &n), NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetClockInfo(d, (nvmlClockType_t)77, &n), INVALID);
    OK(nvmlDeviceGetComputeMode(d, &mode));
    CHECK(mode == NVML_COMPUTEMODE_DEFAULT);
    OK(nvmlDeviceGetPersistenceMode(d, &on));
    CHECK(on == NVML_FEATURE_ENABLED);
    OK(nvmlDeviceGetDisplayActive(d, &on));
    CHECK(on == NVML_FEATURE_DISABLED);
    EXPECT(nvmlDeviceGetEccMode(d, &on, &on), NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceGetFanSpeed(d, &n), NVML_ERROR_NOT_SUPPORTED);
    EXPECT(nvmlDeviceSetComputeMode(d, NVML_COMPUTEMODE_DEFAULT), NVML_ERROR_NOT_SUPPORTED);
}

static bool is_listed(nvmlDevice_t d)
{
    static nvmlProcessInfo_t infos[1024];
    unsigned n = 1024;
    bool found = false;
    OK(nvmlDeviceGetComputeRunningProcesses(d, &n, infos));
    for (unsigned i = 0; i < n; i++)
        found |= infos[i].pid == (unsigned)getpid();
    return found;
}

// This process is one that computes as soon as it has a context.
static void test_processes(void)
{
    nvmlDevice_t d = NULL;
    unsigned n = 0;
    void *p = NULL;
    OK(nvmlDeviceGetHandleByIndex(1, &d));
    CHECK(!is_listed(d));
    CHECK(!cudaSetDevice(1) && !cudaMalloc(&p, 16));
    CHECK(is_listed(d));
    EXPECT(nvmlDeviceGetComputeRunningProcesses(d, &n, NULL), NVML_ERROR_INSUFFICIENT_SIZE);
    CHECK(n >= 1);
    EXPECT(nvmlDeviceGetComputeRunningProcesses(d, &n, NULL), INVALID);
    EXPECT(nvmlDeviceGetComputeRunningProcesses(d, NULL, NULL), INVALID);
    OK(nvmlDeviceGetGraphicsRunningProcesses(d, &n, NULL));
    CHECK(n == 0);
    CHECK(!cudaFree(p) && !cudaDeviceReset());
    CHECK(!is_listed(d));
}

static void test_bad(void)
{
    nvmlDevice_t good = NULL, bad[] = {NULL, (nvmlDevice_t)&good, (nvmlDevice_t)(size_t)0x1234};
    unsigned n;
    nvmlMemory_t m;
    char text[96];
    OK(nvmlDeviceGetHandleByIndex(0, &good));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        EXPECT(nvmlDeviceGetIndex(bad[i], &n), INVALID);
        EXPECT(nvmlDeviceGetName(bad[i], text, sizeof text), INVALID);
        EXPECT(nvmlDeviceGetMemoryInfo(bad[i], &m), INVALID);
        EXPECT(nvmlDeviceGetFanSpeed(bad[i], &n), INVALID);
        EXPECT(nvmlDeviceSetPersistenceMode(bad[i], NVML_FEATURE_ENABLED), INVALID);
        EXPECT(nvmlDeviceGetComputeRunningProcesses(bad[i], &n, NULL), INVALID);
    }
    EXPECT(nvmlDeviceGetIndex(good, NULL), INVALID);
    EXPECT(nvmlDeviceGetName(good, NULL, 9), INVALID);
    EXPECT(nvmlDeviceGetMemoryInfo(good, NULL), INVALID);
    EXPECT(nvmlDeviceGetEccMode(good, NULL, NULL), INVALID);
    EXPECT(nvmlDeviceGetUtilizationRates(good, NULL), INVALID);
    EXPECT(nvmlDeviceGetCudaComputeCapability(good, NULL, NULL), INVALID);
    EXPECT(nvmlDeviceGetCount(NULL), INVALID);
    EXPECT(nvmlDeviceGetHandleByIndex(2, &good), INVALID);
    EXPECT(nvmlDeviceGetHandleByIndex(0, NULL), INVALID);
    EXPECT(nvmlDeviceGetHandleByUUID("GPU-none", &good), NVML_ERROR_NOT_FOUND);
    EXPECT(nvmlDeviceGetHandleByUUID(NULL, &good), INVALID);
    EXPECT(nvmlDeviceGetHandleByPciBusId("ffff:ff:1f.0", &good), NVML_ERROR_NOT_FOUND);
    EXPECT(nvmlDeviceGetHandleByPciBusId("nonsense", &good), INVALID);
}

int main(void)
{
    test_open();
    OK(nvmlInit());
    test_system();
    test_identity(0);
    test_identity(1);
    test_processes();
    test_state();
    test_bad();
    OK(nvmlShutdown());
    return test_summary();
}
