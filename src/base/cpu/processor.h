// SPDX-License-Identifier: Apache-2.0
// What of the processor at hand no name and no feature tells.
#ifndef HEDDLE_BASE_CPU_PROCESSOR_H
#define HEDDLE_BASE_CPU_PROCESSOR_H

// What a gather of words costs, in hundredths of what as many loads of single words do that are put together; 0: there is none. It is
// measured, once in a process: since 2023 the microcode of many processors makes gathers safe and slow (gather data sampling), and a
// virtual machine is not told.
unsigned processor_gather_cost(void);
#endif
