// SPDX-License-Identifier: Apache-2.0
// What the files about devices share.
#ifndef HEDDLE_DRIVER_CONTEXT_DEVICE_H
#define HEDDLE_DRIVER_CONTEXT_DEVICE_H
int device_l2_bytes(void);                    // the last cache of the processor
int device_l2_persisting(void);               // what of it may be set aside
int device_number(int ordinal);               // among all devices, visible or not
void device_uuid_text(int number, char *out); // "GPU-xxxxxxxx-xxxx-...", 41 bytes
#endif
