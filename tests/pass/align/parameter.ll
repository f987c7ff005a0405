; SPDX-License-Identifier: Apache-2.0
; expect: fires
; The low bits of a parameter become something that launches test.
; CHECK: remark align: k, k.region.0, block 0: launches test the parameter
; CHECK: assumed 8 3
; CHECK-NOT: call void @heddle.rt.misaligned
declare void @heddle.rt.misaligned(i64)
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %args = call ptr addrspace(4) @heddle.args()
  %q = getelementptr i8, ptr addrspace(4) %args, i64 8
  %p = load i64, ptr addrspace(4) %q, align 8, !invariant.load !0
  %low = and i64 %p, 3
  call void @heddle.rt.misaligned(i64 %low)
  ret i32 0
}
!0 = !{}
