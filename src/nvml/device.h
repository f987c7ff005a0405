// SPDX-License-Identifier: Apache-2.0
// The bodies of NVML's functions of devices, as api.def calls them.
#ifndef HEDDLE_NVML_DEVICE_H
#define HEDDLE_NVML_DEVICE_H
#include "nvml/monitor.h"

#define ANSWER(function, type, expression) nvmlReturn_t function(nvmlDevice_t device, type *value);
#include "nvml/answer.def"
#undef ANSWER

nvmlReturn_t devices_count(unsigned *n);
nvmlReturn_t device_by_index(unsigned index, nvmlDevice_t *device);
nvmlReturn_t device_by_uuid(const char *uuid, nvmlDevice_t *device);
nvmlReturn_t device_by_bus(const char *text, nvmlDevice_t *device);
// What no device has: NOT_SUPPORTED, where there is such a device and out is not NULL.
nvmlReturn_t device_lacks(nvmlDevice_t device, const void *out);
nvmlReturn_t device_topology(nvmlDevice_t device, nvmlDevice_t other, nvmlGpuTopologyLevel_t *level);
nvmlReturn_t device_peers(nvmlDevice_t device, nvmlDevice_t other, nvmlGpuP2PCapsIndex_t what,
                          nvmlGpuP2PStatus_t *status);
nvmlReturn_t device_affinity(nvmlDevice_t device, unsigned size, unsigned long *set);
nvmlReturn_t device_name(nvmlDevice_t device, char *name, unsigned length);
nvmlReturn_t device_uuid(nvmlDevice_t device, char *uuid, unsigned length);
nvmlReturn_t device_architecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *value);
nvmlReturn_t device_capability(nvmlDevice_t device, int *major, int *minor);
nvmlReturn_t device_pci(nvmlDevice_t device, nvmlPciInfo_t *value);
nvmlReturn_t device_same(nvmlDevice_t device, nvmlDevice_t other, int *same);
// old: infos are of the first version.
nvmlReturn_t device_processes(nvmlDevice_t device, unsigned *n, void *infos, bool old);
nvmlReturn_t device_no_processes(nvmlDevice_t device, unsigned *n, void *infos, bool old);
nvmlReturn_t device_memory(nvmlDevice_t device, nvmlMemory_t *value);
nvmlReturn_t device_memory_v2(nvmlDevice_t device, nvmlMemory_v2_t *value);
nvmlReturn_t device_utilization(nvmlDevice_t device, nvmlUtilization_t *value);
nvmlReturn_t device_temperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned *degrees);
// most: the highest there is, in place of the present one.
nvmlReturn_t device_clock(nvmlDevice_t device, nvmlClockType_t type, bool most, unsigned *mhz);
nvmlReturn_t device_clock_of(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id, unsigned *mhz);
nvmlReturn_t device_power(nvmlDevice_t device, unsigned *value);
nvmlReturn_t device_energy(nvmlDevice_t device, unsigned long long *value);
#endif
