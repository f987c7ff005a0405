; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: shapes
; Lanes side by side store one vector.
; CHECK: define {{.*}}@k.full.0(
; CHECK: store <8 x i32>
; CHECK-NOT: define i32 @k.region.0
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %x = call i32 @heddle.tid.x()
  %e = zext i32 %x to i64
  %o = shl i64 %e, 2
  %q = inttoptr i64 %o to ptr addrspace(1)
  store i32 %x, ptr addrspace(1) %q, align 4
  ret i32 0
}
