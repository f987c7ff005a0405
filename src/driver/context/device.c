// SPDX-License-Identifier: Apache-2.0
// Devices: one and the same CPU under as many numbers as HEDDLE_DEVICES says.
#include "driver/context/device.h"
#include "base/env.h"
#include "base/hash.h"
#include "base/os.h"
#include "driver/texture/texture.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char cpu_name[200];
static int cpu_khz, cpu_cache;

// The text after "key :" in /proc/cpuinfo, or NULL.
static const char *info_value(const char *info, const char *key, char *out, size_t size)
{
    const char *p = strstr(info, key), *colon = p ? strchr(p, ':') : NULL;
    if (!colon)
        return NULL;
    colon += strspn(colon, ": \t");
    snprintf(out, size, "%.*s", (int)strcspn(colon, "\n"), colon);
    return out;
}

static const char *arm_core(const char *part)
{
    static const struct {
        unsigned part;
        const char *name;
    } cores[] = {{0xd03, "Cortex-A53"}, {0xd05, "Cortex-A55"},  {0xd07, "Cortex-A57"},  {0xd08, "Cortex-A72"},
                 {0xd0b, "Cortex-A76"}, {0xd0c, "Neoverse N1"}, {0xd40, "Neoverse V1"}, {0xd41, "Cortex-A78"},
                 {0xd44, "Cortex-X1"},  {0xd49, "Neoverse N2"}, {0xd4f, "Neoverse V2"}, {0xd84, "Neoverse V3"},
                 {0xd8e, "Neoverse N3"}};
    unsigned n = (unsigned)strtoul(part, NULL, 16);
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (cores[i].part == n)
            return cores[i].name;
    return "AArch64";
}

static void find_cpu(void)
{
    char text[160], *info = os_file_read("/proc/cpuinfo", NULL);
    long l3 = sysconf(_SC_LEVEL3_CACHE_SIZE), l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    cpu_cache = (int)(l3 > 0 ? l3 : l2 > 0 ? l2 : 1 << 20);
    cpu_khz = 2000000;
    const char *core = "CPU";
    if (info && info_value(info, "model name", text, sizeof text))
        core = text;
    else if (info && info_value(info, "CPU part", text, sizeof text))
        core = arm_core(text);
    snprintf(cpu_name, sizeof cpu_name, "Heddle on %s (%u threads)", core, pool_workers());
    if (info && info_value(info, "cpu MHz", text, sizeof text) && atof(text) > 0)
        cpu_khz = (int)(atof(text) * 1000);
    free(info);
    char *freq = os_file_read("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", NULL);
    if (freq && atoi(freq) > 0)
        cpu_khz = atoi(freq);
    free(freq);
}

static int clock_khz(void)
{
    pthread_once(&once, find_cpu);
    return cpu_khz;
}

int device_l2_bytes(void)
{
    pthread_once(&once, find_cpu);
    return cpu_cache;
}

static CUresult check(const void *out, CUdevice device)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    return device_valid(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult device_get(CUdevice *device, int ordinal)
{
    CUresult r = check(device, ordinal);
    if (!r)
        *device = ordinal;
    return r;
}

CUresult device_get_count(int *count)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = device_count();
    return CUDA_SUCCESS;
}

CUresult device_get_name(char *name, int size, CUdevice device)
{
    CUresult r = check(name, device);
    if (r)
        return r;
    if (size <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_once(&once, find_cpu);
    const char *wanted = env_get("HEDDLE_NAME");
    snprintf(name, (size_t)size, "%s", *wanted ? wanted : cpu_name);
    return CUDA_SUCCESS;
}

static void uuid_bytes(int number, unsigned char out[16])
{
    struct hash128 h;
    char host[128] = "";
    gethostname(host, sizeof host - 1);
    hash128_init(&h);
    hash128_add_text(&h, host);
    hash128_add(&h, &number, sizeof number);
    memcpy(out, &h.lo, 8);
    memcpy(out + 8, &h.hi, 8);
}

void device_uuid_text(int number, char *out)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char b[16];
    uuid_bytes(number, b);
    memcpy(out, "GPU-", 4);
    out += 4;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *out++ = '-';
        *out++ = digits[b[i] >> 4];
        *out++ = digits[b[i] & 15];
    }
    *out = 0;
}

CUresult device_get_uuid(CUuuid *uuid, CUdevice device)
{
    CUresult r = check(uuid, device);
    if (!r)
        uuid_bytes(device_number(device), (unsigned char *)uuid->bytes);
    return r;
}

CUresult device_total_memory(size_t *bytes, CUdevice device)
{
    CUresult r = check(bytes, device);
    size_t unused;
    if (!r)
        memory_usage(device, &unused, bytes);
    return r;
}

CUresult device_texture_width(size_t *width, CUarray_format format, unsigned channels, CUdevice device)
{
    CUresult r = check(width, device);
    if (r)
        return r;
    struct texel_format texel;
    r = texel_format_of(format, channels, &texel);
    if (!r)
        *width = texture_linear_limit(texel);
    return r;
}

static int attribute_of(CUdevice_attribute attribute, int number)
{
    (void)number;
    switch ((int)attribute) {
#define ATTRIBUTE(name, value)                                                                                         \
    case CU_DEVICE_ATTRIBUTE_##name:                                                                                   \
        return value;
#include "driver/context/attribute.def"
#undef ATTRIBUTE
    }
    return 0;
}

CUresult device_get_attribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    CUresult r = check(value, device);
    if (r)
        return r;
    if ((int)attribute < 1 || attribute >= CU_DEVICE_ATTRIBUTE_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    *value = attribute_of(attribute, device_number(device));
    return CUDA_SUCCESS;
}

CUresult device_get_properties(CUdevprop *p, CUdevice device)
{
    CUresult r = check(p, device);
    if (r)
        return r;
    *p = (CUdevprop){.maxThreadsPerBlock = MAX_BLOCK_THREADS,
                     .maxThreadsDim = {MAX_BLOCK_THREADS, MAX_BLOCK_THREADS, MAX_BLOCK_Z},
                     .maxGridSize = {0x7fffffff, MAX_GRID_YZ, MAX_GRID_YZ},
                     .sharedMemPerBlock = SHARED_DEFAULT,
                     .totalConstantMemory = 65536,
                     .SIMDWidth = 32,
                     .memPitch = 0x7fffffff,
                     .regsPerBlock = SM_REGISTERS,
                     .clockRate = clock_khz(),
                     .textureAlign = TEXTURE_ALIGN};
    return CUDA_SUCCESS;
}

CUresult device_compute_capability(int *major, int *minor, CUdevice device)
{
    CUresult r = check(major, device);
    if (r)
        return r;
    if (!minor)
        return CUDA_ERROR_INVALID_VALUE;
    *major = (int)device_capability() / 10;
    *minor = (int)device_capability() % 10;
    return CUDA_SUCCESS;
}

CUresult device_get_by_bus(CUdevice *device, const char *bus_id)
{
    unsigned domain = 0, bus, slot, function = 0;
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!device || !bus_id)
        return CUDA_ERROR_INVALID_VALUE;
    if (sscanf(bus_id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3 && sscanf(bus_id, "%x:%x", &bus, &slot) != 2)
        return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < device_count(); i++) {
        if ((unsigned)device_number(i) + 1 == bus && !slot && !domain && !function) {
            *device = i;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_DEVICE;
}

CUresult device_get_bus(char *bus_id, int size, CUdevice device)
{
    CUresult r = check(bus_id, device);
    if (r)
        return r;
    if (size <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    snprintf(bus_id, (size_t)size, "0000:%02x:00.0", (unsigned)device_number(device) + 1);
    return CUDA_SUCCESS;
}

CUresult device_affinity_support(int *supported, CUexecAffinityType type, CUdevice device)
{
    CUresult r = check(supported, device);
    if (r)
        return r;
    if (type != CU_EXEC_AFFINITY_TYPE_SM_COUNT)
        return CUDA_ERROR_INVALID_VALUE;
    *supported = 0;
    return CUDA_SUCCESS;
}

CUresult device_flush_writes(CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope)
{
    (void)target, (void)scope;
    atomic_thread_fence(memory_order_seq_cst);
    return driver_ready() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult device_can_access_peer(int *can, CUdevice device, CUdevice peer)
{
    CUresult r = check(can, device);
    r = r ? r : check(can, peer);
    if (!r)
        *can = device != peer;
    return r;
}

CUresult device_peer_attribute(int *value, CUdevice_P2PAttribute attribute, CUdevice source, CUdevice destination)
{
    CUresult r = check(value, source);
    r = r ? r : check(value, destination);
    if (r)
        return r;
    if (source == destination)
        return CUDA_ERROR_INVALID_DEVICE;
    switch (attribute) {
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
    case CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED:
        *value = 0;
        return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
        *value = 1;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}
