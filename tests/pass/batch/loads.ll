; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: shapes
; An index that may wrap around within the gang is tested; one test serves both loads.
; CHECK: remark batch: k, k.region.0, block 0: 2 loads share one test of whether the index wraps around
; CHECK: load float, ptr addrspace(1)
; CHECK-NEXT: load float, ptr addrspace(1)
; CHECK: fadd
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %args = call ptr addrspace(4) @heddle.args()
  %n = load i32, ptr addrspace(4) %args, align 4, !invariant.load !0
  %p = load ptr addrspace(1), ptr addrspace(4) %args, align 8, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %i = add i32 %x, %n
  %e = sext i32 %i to i64
  %o = shl i64 %e, 2
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %o
  %v = load float, ptr addrspace(1) %q
  %w = fadd float %v, 1.0
  
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 4096
  %v2 = load float, ptr addrspace(1) %q2
  %w2 = fadd float %v2, %w
  store float %w2, ptr addrspace(1) null
  ret i32 0
}
!0 = !{}
