// SPDX-License-Identifier: Apache-2.0
// What NVML knows: devices as libcudart sees them, and the machine below them as the operating system tells of it.
#ifndef HEDDLE_NVML_MONITOR_H
#define HEDDLE_NVML_MONITOR_H
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include <nvml.h>
#include <stdbool.h>
#include <stddef.h>

enum { MONITOR_DEVICES = 64 };

struct device {
    unsigned index;
    char name[NVML_DEVICE_NAME_BUFFER_SIZE]; // cut, so that it fits old buffers too
    char uuid[48];
    int major, minor, processors, max_mhz, compute_mode;
    unsigned domain, bus, slot;
    unsigned long long memory;
};

// device.c. monitor_open reads the devices.
nvmlReturn_t monitor_open(void);
struct device *monitor_device(nvmlDevice_t device); // NULL: no such device

// host.c: false where the system does not tell.
bool host_memory_available(unsigned long long *bytes);
void host_busy_start(void);       // from here on
unsigned host_busy_percent(void); // of all processors, since the last call that was a while ago
bool host_temperature(unsigned *degrees);
bool host_clock_mhz(unsigned *mhz);
bool host_energy_mj(unsigned long long *energy);
bool host_power_mw(unsigned *power);

// process.c: processes that have this driver loaded, at most room of them; their number.
unsigned process_list(const char *driver, unsigned *pids, unsigned room);
bool process_name(unsigned pid, char *name, size_t size);

// Copies a text to a caller's buffer.
nvmlReturn_t text_give(char *out, unsigned length, const char *text);
#endif
