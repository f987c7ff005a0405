; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: shapes
; cpu: skylake
; A bound of each lane's own: nothing tells where no lane meets it.
; CHECK: define {{.*}}@k.full.0(
; CHECK: call <8 x i32> @llvm.masked.gather
; CHECK-NOT: inside:
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
  %own = load i32, ptr addrspace(1) %q, align 4
  %u = call i32 @llvm.smin.i32(i32 %x, i32 %own)
  %w = sext i32 %u to i64
  %s = shl i64 %w, 2
  %p = add i64 %s, 4096
  %r = inttoptr i64 %p to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %r, align 4
  store i32 %v, ptr addrspace(1) %q, align 4
  ret i32 0
}
!0 = !{}
