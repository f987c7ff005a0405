// SPDX-License-Identifier: Apache-2.0
// What of the processor at hand no name and no feature tells.
#ifndef HEDDLE_BASE_CPU_PROCESSOR_H
#define HEDDLE_BASE_CPU_PROCESSOR_H

// About what a gather of words costs, in hundredths of what as many loads of single words do that are put together; 0: there is none. It is
// measured, once in a process, and told as one of two figures: processors of one name differ by a factor of five, as microcode against gather
// data sampling would have it, and a virtual machine does not tell.
unsigned processor_gather_cost(void);
#endif
