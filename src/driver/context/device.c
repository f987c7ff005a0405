// SPDX-License-Identifier: Apache-2.0
// Devices: one and the same CPU under as many numbers as HEDDLE_DEVICES says.
#include "driver/context/device.h"
#include "base/env.h"
#include "driver/texture/texture.h"
#include <stdio.h>
#include <stdlib.h>

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
    const char *wanted = env_get("HEDDLE_NAME");
    snprintf(name, (size_t)size, "%s", *wanted ? wanted : cpu_title());
    return CUDA_SUCCESS;
}

CUresult device_get_uuid(CUuuid *uuid, CUdevice device)
{
    CUresult r = check(uuid, device);
    if (!r)
        device_uuid_bytes(device_number(device), (unsigned char *)uuid->bytes);
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
                     .clockRate = cpu_clock_khz(),
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

// What kernels do atomically to memory that the host, or another device, reaches too: what PTX has atom and red for, since
// devices and host are one processor. An operation on bits has no sign, so it is there for both kinds of integers; that on 128
// bits and the exchanges have no form without a result (red). PTX has no minimum and no maximum of floats.
static unsigned atomic_capabilities(CUatomicOperation operation)
{
    const unsigned integers = CU_ATOMIC_CAPABILITY_SIGNED | CU_ATOMIC_CAPABILITY_UNSIGNED;
    const unsigned words = CU_ATOMIC_CAPABILITY_SCALAR_32 | CU_ATOMIC_CAPABILITY_SCALAR_64;
    switch (operation) {
    case CU_ATOMIC_OPERATION_INTEGER_ADD:
    case CU_ATOMIC_OPERATION_INTEGER_MIN:
    case CU_ATOMIC_OPERATION_INTEGER_MAX:
    case CU_ATOMIC_OPERATION_AND:
    case CU_ATOMIC_OPERATION_OR:
    case CU_ATOMIC_OPERATION_XOR:
        return integers | CU_ATOMIC_CAPABILITY_REDUCTION | words;
    case CU_ATOMIC_OPERATION_INTEGER_INCREMENT:
    case CU_ATOMIC_OPERATION_INTEGER_DECREMENT:
        return CU_ATOMIC_CAPABILITY_UNSIGNED | CU_ATOMIC_CAPABILITY_REDUCTION | CU_ATOMIC_CAPABILITY_SCALAR_32;
    case CU_ATOMIC_OPERATION_EXCHANGE:
    case CU_ATOMIC_OPERATION_CAS:
        return integers | words | CU_ATOMIC_CAPABILITY_SCALAR_128;
    case CU_ATOMIC_OPERATION_FLOAT_ADD:
        return CU_ATOMIC_CAPABILITY_SIGNED | CU_ATOMIC_CAPABILITY_REDUCTION | words | CU_ATOMIC_CAPABILITY_VECTOR_32x4;
    default:
        return 0;
    }
}

CUresult device_host_atomics(unsigned *capabilities, const CUatomicOperation *operations, unsigned count,
                             CUdevice device)
{
    CUresult r = check(capabilities, device);
    if (r)
        return r;
    if (!operations || !count)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++)
        if ((unsigned)operations[i] >= CU_ATOMIC_OPERATION_MAX)
            return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++)
        capabilities[i] = atomic_capabilities(operations[i]);
    return CUDA_SUCCESS;
}

CUresult device_peer_atomics(unsigned *capabilities, const CUatomicOperation *operations, unsigned count,
                             CUdevice source, CUdevice destination)
{
    CUresult r = check(capabilities, source);
    r = r ? r : check(capabilities, destination);
    if (!r && source == destination)
        r = CUDA_ERROR_INVALID_DEVICE;
    return r ? r : device_host_atomics(capabilities, operations, count, source);
}
