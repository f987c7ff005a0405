; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: shapes vectorise
; Nothing waits: one loop over the gangs, no dispatch and no scheduler.
; CHECK: define {{.*}}@heddle.block(
; CHECK-NOT: dispatch
; CHECK-NOT: heddle_resume
; CHECK: define {{.*}}@k.entry(
define i32 @k.region.0() {
  store volatile i32 1, ptr addrspace(1) null
  ret i32 0
}
