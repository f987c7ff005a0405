// SPDX-License-Identifier: Apache-2.0
// heddle doctor, see doctor.c.
#ifndef HEDDLE_HEDDLE_DOCTOR_H
#define HEDDLE_HEDDLE_DOCTOR_H
// Prints what is found; 0: nothing is wrong, 1: something is.
int doctor(void);
#endif
