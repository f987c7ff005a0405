; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: shapes
; Where blocks are whole gangs that go on together there is no code under a mask.
; CHECK: define {{.*}}@k.full.0(
; CHECK-NOT: @k.masked.0
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %x = call i32 @heddle.tid.x()
  store i32 %x, ptr addrspace(1) null, align 4
  ret i32 0
}
