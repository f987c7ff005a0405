; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64 lockstep
; after: shapes
; A kernel that counts on the lockstep of its warps sees what other threads store in between.
; CHECK: remark row_order: k: nothing: the kernel counts on the lockstep of its warps
; CHECK: %b = fmul float %a
; CHECK-NEXT: store float %b, ptr addrspace(1) %row
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %args = call ptr addrspace(4) @heddle.args()
  %t = load ptr addrspace(1), ptr addrspace(4) %args, align 8, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %e = zext i32 %x to i64
  %o = shl i64 %e, 3
  %r = getelementptr i8, ptr addrspace(1) %t, i64 %o
  %row = load ptr addrspace(1), ptr addrspace(1) %r
  %a = load float, ptr addrspace(1) %row
  %b = fmul float %a, 2.0
  store float %b, ptr addrspace(1) %row
  %q = getelementptr i8, ptr addrspace(1) %row, i64 4
  %c = load float, ptr addrspace(1) %q
  %d = fmul float %c, 2.0
  store float %d, ptr addrspace(1) %q
  ret i32 0
}
!0 = !{}
