// SPDX-License-Identifier: Apache-2.0
// What the files about devices share.
#ifndef HEDDLE_DRIVER_CONTEXT_DEVICE_H
#define HEDDLE_DRIVER_CONTEXT_DEVICE_H
// cpu.c
int device_l2_bytes(void);   // the last cache of the processor
const char *cpu_title(void); // what the device is called
int cpu_clock_khz(void);
void device_uuid_bytes(int number, unsigned char out[16]);
void device_uuid_text(int number, char *out); // "GPU-xxxxxxxx-xxxx-...", 41 bytes
int device_l2_persisting(void);               // what of it may be set aside
int device_number(int d);                     // among all devices, visible or not
#endif
