; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: shapes
; cpu: haswell
; Two neighbours in every four elements: they go together.
; CHECK: define {{.*}}@k.full.0(
; CHECK: load <2 x float>
; CHECK: store <2 x float>
; CHECK-NOT: asm
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %x = call i32 @heddle.tid.x()
  %odd = and i32 %x, 1
  %two = shl nuw nsw i32 %x, 1
  %i = sub nsw i32 %two, %odd
  %e = zext nneg i32 %i to i64
  %o = shl nuw nsw i64 %e, 2
  %q = inttoptr i64 %o to ptr addrspace(1)
  %v = load float, ptr addrspace(1) %q, align 4
  %b = add i64 %o, 65536
  %r = inttoptr i64 %b to ptr addrspace(1)
  store float %v, ptr addrspace(1) %r, align 4
  ret i32 0
}
