; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: shapes vectorise
; All lanes take the same barrier: a loop over the gangs for each region, and a dispatch between them.
; CHECK: define {{.*}}@heddle.block(
; CHECK: dispatch:
; CHECK: define {{.*}}@k.entry(
define i32 @k.region.0() {
  store volatile i32 1, ptr addrspace(1) null
  ret i32 1
}
define i32 @k.region.1() {
  store volatile i32 2, ptr addrspace(1) null
  ret i32 0
}
