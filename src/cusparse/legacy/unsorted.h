// SPDX-License-Identifier: Apache-2.0
// The orders of elements that an info of csru2csr keeps.
#ifndef HEDDLE_CUSPARSE_LEGACY_UNSORTED_H
#define HEDDLE_CUSPARSE_LEGACY_UNSORTED_H
struct legacy_info;
void legacy_orders_free(struct legacy_info *info); // waits for the device where there are some
#endif
