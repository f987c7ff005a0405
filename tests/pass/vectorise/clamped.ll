; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: shapes
; cpu: skylake
; An index within bounds: one vector where no lane is at a bound, a gather where some may be.
; CHECK: define {{.*}}@k.full.0(
; CHECK: icmp sle i64
; CHECK: icmp sge i64
; CHECK: inside:
; CHECK-NEXT: load <8 x i32>
; CHECK: clamped:
; CHECK: call <8 x i32> @llvm.masked.gather
; CHECK: loaded:
; CHECK: phi <8 x i32>
; CHECK-NOT: define i32 @k.region.0
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
define i32 @k.region.0() {
  %a = call ptr addrspace(4) @heddle.args()
  %n = load i32, ptr addrspace(4) %a, align 4, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %o = zext i32 %x to i64
  %b = shl i64 %o, 2
  %q = inttoptr i64 %b to ptr addrspace(1)
  %left = add i32 %x, -4
  %t = call i32 @llvm.smax.i32(i32 %left, i32 0)
  %u = call i32 @llvm.smin.i32(i32 %t, i32 %n)
  %w = sext i32 %u to i64
  %s = shl i64 %w, 2
  %p = add i64 %s, 4096
  %r = inttoptr i64 %p to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %r, align 4
  store i32 %v, ptr addrspace(1) %q, align 4
  ret i32 0
}
!0 = !{}
