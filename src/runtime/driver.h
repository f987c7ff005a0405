// The driver library that libcudart works on, found at run time, and its entry points.
#ifndef HEDDLE_RUNTIME_DRIVER_H
#define HEDDLE_RUNTIME_DRIVER_H
#include <cuda.h>
#include <cudaProfiler.h>
#include <stdbool.h>

struct driver {
#define CALL(name)     __typeof__(&name) name;
#define CALL_ANY(name) CALL(name)
#include "runtime/driver_calls.def"
#undef CALL
#undef CALL_ANY
};
extern struct driver drv;

// Finds a driver and fills drv. In this order: what HEDDLE_DEVICE names; a vendor's libcuda.so.1 that has a device; our
// own beside this library. Called once, under the lock of rt_init. False: there is none at all.
bool driver_load(void);
#endif
