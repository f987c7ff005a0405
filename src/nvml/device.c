// SPDX-License-Identifier: Apache-2.0
// Devices: as many as libcudart reports, under its numbers. They are read once, when NVML is first opened.
#include "nvml/device.h"
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct device devices[MONITOR_DEVICES];
static unsigned count;

static void uuid_write(char *out, const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    out += sprintf(out, "GPU-");
    for (int i = 0; i < 16; i++)
        out += sprintf(out, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", b[i]);
}

static bool device_read(struct device *d, unsigned index)
{
    struct cudaDeviceProp p;
    int khz = 0, mode = 0;
    if (cudaGetDeviceProperties(&p, (int)index) || cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, (int)index) ||
        cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, (int)index))
        return false;
    *d = (struct device){.index = index,
                         .major = p.major,
                         .minor = p.minor,
                         .processors = p.multiProcessorCount,
                         .max_mhz = khz / 1000,
                         .compute_mode = mode,
                         .domain = (unsigned)p.pciDomainID,
                         .bus = (unsigned)p.pciBusID,
                         .slot = (unsigned)p.pciDeviceID,
                         .memory = p.totalGlobalMem};
    snprintf(d->name, sizeof d->name, "%.*s", (int)sizeof d->name - 1, p.name);
    uuid_write(d->uuid, p.uuid.bytes);
    return true;
}

nvmlReturn_t monitor_open(void)
{
    int n = 0;
    cudaError_t e = cudaGetDeviceCount(&n);
    if (e && e != cudaErrorNoDevice)
        return NVML_ERROR_DRIVER_NOT_LOADED;
    for (count = 0; count < (unsigned)n && count < MONITOR_DEVICES; count++)
        if (!device_read(&devices[count], count))
            return NVML_ERROR_UNKNOWN;
    return NVML_SUCCESS;
}

struct device *monitor_device(nvmlDevice_t device)
{
    for (unsigned i = 0; i < count; i++)
        if ((void *)device == &devices[i])
            return &devices[i];
    return NULL;
}

nvmlReturn_t text_give(char *out, unsigned length, const char *text)
{
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (strlen(text) >= length)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(out, text);
    return NVML_SUCCESS;
}

// ---- which one
nvmlReturn_t devices_count(unsigned *n)
{
    if (!n)
        return NVML_ERROR_INVALID_ARGUMENT;
    *n = count;
    return NVML_SUCCESS;
}

nvmlReturn_t device_by_index(unsigned index, nvmlDevice_t *device)
{
    if (!device || index >= count)
        return NVML_ERROR_INVALID_ARGUMENT;
    *device = (nvmlDevice_t)(void *)&devices[index];
    return NVML_SUCCESS;
}

nvmlReturn_t device_by_uuid(const char *uuid, nvmlDevice_t *device)
{
    if (!uuid || !device)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(devices[i].uuid, uuid))
            return device_by_index(i, device);
    return NVML_ERROR_NOT_FOUND;
}

// "0000:01:00.0", "00000000:01:00.0" or "01:00.0"
nvmlReturn_t device_by_bus(const char *text, nvmlDevice_t *device)
{
    unsigned domain = 0, bus, slot;
    if (!text || !device)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3) {
        domain = 0;
        if (sscanf(text, "%x:%x", &bus, &slot) != 2)
            return NVML_ERROR_INVALID_ARGUMENT;
    }
    for (unsigned i = 0; i < count; i++)
        if (devices[i].domain == domain && devices[i].bus == bus && devices[i].slot == slot)
            return device_by_index(i, device);
    return NVML_ERROR_NOT_FOUND;
}

// ---- what it is
// The device, where there is one and room for the answer.
#define DEVICE(d, out)                                                                                                 \
    const struct device *d = monitor_device(device);                                                                   \
    if (!(d) || !(out))                                                                                                \
    return NVML_ERROR_INVALID_ARGUMENT

#define ANSWER(function, type, expression)                                                                             \
    nvmlReturn_t function(nvmlDevice_t device, type *value)                                                            \
    {                                                                                                                  \
        DEVICE(d, value);                                                                                              \
        *value = (expression);                                                                                         \
        return NVML_SUCCESS;                                                                                           \
    }
#include "nvml/answer.def"

nvmlReturn_t device_lacks(nvmlDevice_t device, const void *out)
{
    DEVICE(d, out);
    return NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t device_name(nvmlDevice_t device, char *name, unsigned length)
{
    DEVICE(d, name);
    return text_give(name, length, d->name);
}

nvmlReturn_t device_uuid(nvmlDevice_t device, char *uuid, unsigned length)
{
    DEVICE(d, uuid);
    return text_give(uuid, length, d->uuid);
}

nvmlReturn_t device_architecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *value)
{
    static const struct {
        int capability;
        nvmlDeviceArchitecture_t architecture;
    } table[] = {{100, NVML_DEVICE_ARCH_BLACKWELL}, {90, NVML_DEVICE_ARCH_HOPPER},  {89, NVML_DEVICE_ARCH_ADA},
                 {80, NVML_DEVICE_ARCH_AMPERE},     {75, NVML_DEVICE_ARCH_TURING},  {70, NVML_DEVICE_ARCH_VOLTA},
                 {60, NVML_DEVICE_ARCH_PASCAL},     {50, NVML_DEVICE_ARCH_MAXWELL}, {30, NVML_DEVICE_ARCH_KEPLER}};
    DEVICE(d, value);
    *value = NVML_DEVICE_ARCH_UNKNOWN;
    for (size_t i = sizeof table / sizeof *table; i-- > 0;)
        if (10 * d->major + d->minor >= table[i].capability)
            *value = table[i].architecture;
    return NVML_SUCCESS;
}

nvmlReturn_t device_capability(nvmlDevice_t device, int *major, int *minor)
{
    DEVICE(d, major && minor ? major : NULL);
    *major = d->major;
    *minor = d->minor;
    return NVML_SUCCESS;
}

nvmlReturn_t device_pci(nvmlDevice_t device, nvmlPciInfo_t *value)
{
    DEVICE(d, value);
    *value = (nvmlPciInfo_t){.domain = d->domain, .bus = d->bus, .device = d->slot};
    snprintf(value->busIdLegacy, sizeof value->busIdLegacy, NVML_DEVICE_PCI_BUS_ID_LEGACY_FMT, d->domain & 0xffff,
             d->bus & 0xff, d->slot & 0xff);
    snprintf(value->busId, sizeof value->busId, NVML_DEVICE_PCI_BUS_ID_FMT, d->domain, d->bus & 0xff, d->slot & 0xff);
    return NVML_SUCCESS;
}

// All are one processor.
nvmlReturn_t device_same(nvmlDevice_t device, nvmlDevice_t other, int *same)
{
    DEVICE(d, monitor_device(other) ? same : NULL);
    *same = 1;
    return NVML_SUCCESS;
}

nvmlReturn_t device_topology(nvmlDevice_t device, nvmlDevice_t other, nvmlGpuTopologyLevel_t *level)
{
    DEVICE(d, monitor_device(other) ? level : NULL);
    *level = NVML_TOPOLOGY_INTERNAL; // all are one CPU
    return NVML_SUCCESS;
}

nvmlReturn_t device_peers(nvmlDevice_t device, nvmlDevice_t other, nvmlGpuP2PCapsIndex_t what,
                          nvmlGpuP2PStatus_t *status)
{
    DEVICE(d, monitor_device(other) ? status : NULL);
    if ((unsigned)what >= NVML_P2P_CAPS_INDEX_UNKNOWN)
        return NVML_ERROR_INVALID_ARGUMENT;
    bool bus = what == NVML_P2P_CAPS_INDEX_NVLINK || what == NVML_P2P_CAPS_INDEX_PCI;
    *status = bus ? NVML_P2P_STATUS_NOT_SUPPORTED : NVML_P2P_STATUS_OK;
    return NVML_SUCCESS;
}

// The processors that this process may run on.
nvmlReturn_t device_affinity(nvmlDevice_t device, unsigned size, unsigned long *set)
{
    enum { BITS = 8 * sizeof(unsigned long) };
    cpu_set_t now;
    DEVICE(d, size ? set : NULL);
    if (sched_getaffinity(0, sizeof now, &now))
        return NVML_ERROR_UNKNOWN;
    memset(set, 0, size * sizeof *set);
    for (unsigned i = 0; i < CPU_SETSIZE; i++)
        if (i / BITS < size && CPU_ISSET(i, &now))
            set[i / BITS] |= 1ul << i % BITS;
    return NVML_SUCCESS;
}

// ---- who uses it
static void *driver_function(const char *name)
{
    void *f = NULL;
    enum cudaDriverEntryPointQueryResult status;
    return cudaGetDriverEntryPointByVersion(name, &f, CUDART_VERSION, 0, &status) ? NULL : f;
}

// Does this process compute? It has the driver for NVML's sake already.
static bool is_computing(const struct device *d)
{
    CUresult (*state)(CUdevice, unsigned *, int *) =
        (CUresult (*)(CUdevice, unsigned *, int *))driver_function("cuDevicePrimaryCtxGetState");
    unsigned flags;
    int active = 0;
    return state && !state((CUdevice)d->index, &flags, &active) && active;
}

nvmlReturn_t device_no_processes(nvmlDevice_t device, unsigned *n, void *infos, bool old)
{
    DEVICE(d, n);
    (void)infos, (void)old;
    *n = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t device_processes(nvmlDevice_t device, unsigned *n, void *infos, bool old)
{
    enum { MOST = 1024 };
    unsigned pids[MOST], found = 0, kept = 0;
    char path[PATH_MAX];
    Dl_info driver;
    DEVICE(d, n);
    if (*n && !infos)
        return NVML_ERROR_INVALID_ARGUMENT;
    void *init = driver_function("cuInit");
    if (init && dladdr(init, &driver) && realpath(driver.dli_fname, path))
        found = process_list(path, pids, MOST);
    for (unsigned i = 0; i < found; i++)
        if (pids[i] != (unsigned)getpid() || is_computing(d))
            pids[kept++] = pids[i];
    unsigned room = *n;
    *n = kept;
    if (kept > room)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    for (unsigned i = 0; i < kept; i++)
        if (old)
            ((nvmlProcessInfo_v1_t *)infos)[i] =
                (nvmlProcessInfo_v1_t){pids[i], (unsigned long long)NVML_VALUE_NOT_AVAILABLE};
        else
            ((nvmlProcessInfo_v2_t *)infos)[i] =
                (nvmlProcessInfo_v2_t){pids[i], (unsigned long long)NVML_VALUE_NOT_AVAILABLE, 0xffffffffu, 0xffffffffu};
    return NVML_SUCCESS;
}

// ---- what it does
nvmlReturn_t device_memory(nvmlDevice_t device, nvmlMemory_t *value)
{
    unsigned long long left = 0;
    DEVICE(d, value);
    if (!host_memory_available(&left))
        return NVML_ERROR_UNKNOWN;
    left = left < d->memory ? left : d->memory;
    *value = (nvmlMemory_t){.total = d->memory, .free = left, .used = d->memory - left};
    return NVML_SUCCESS;
}

nvmlReturn_t device_memory_v2(nvmlDevice_t device, nvmlMemory_v2_t *value)
{
    nvmlMemory_t m;
    DEVICE(d, value);
    if (value->version != nvmlMemory_v2)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    nvmlReturn_t r = device_memory(device, &m);
    if (!r)
        *value = (nvmlMemory_v2_t){.version = nvmlMemory_v2, .total = m.total, .free = m.free, .used = m.used};
    return r;
}

nvmlReturn_t device_utilization(nvmlDevice_t device, nvmlUtilization_t *value)
{
    nvmlMemory_t m;
    DEVICE(d, value);
    nvmlReturn_t r = device_memory(device, &m);
    if (!r)
        *value = (nvmlUtilization_t){host_busy_percent(), (unsigned)(m.total ? 100 * m.used / m.total : 0)};
    return r;
}

nvmlReturn_t device_temperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned *degrees)
{
    DEVICE(d, sensor == NVML_TEMPERATURE_GPU ? degrees : NULL);
    return host_temperature(degrees) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

// The clock of the processor. That of memory no system tells.
nvmlReturn_t device_clock(nvmlDevice_t device, nvmlClockType_t type, bool most, unsigned *mhz)
{
    DEVICE(d, (unsigned)type < NVML_CLOCK_COUNT ? mhz : NULL);
    if (type != NVML_CLOCK_GRAPHICS && type != NVML_CLOCK_SM)
        return NVML_ERROR_NOT_SUPPORTED;
    if (most)
        *mhz = (unsigned)d->max_mhz;
    return most || host_clock_mhz(mhz) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t device_clock_of(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id, unsigned *mhz)
{
    DEVICE(d, (unsigned)id < NVML_CLOCK_ID_COUNT ? mhz : NULL);
    return id == NVML_CLOCK_ID_CURRENT ? device_clock(device, type, false, mhz) : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t device_power(nvmlDevice_t device, unsigned *value)
{
    DEVICE(d, value);
    return host_power_mw(value) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t device_energy(nvmlDevice_t device, unsigned long long *value)
{
    DEVICE(d, value);
    return host_energy_mj(value) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}
