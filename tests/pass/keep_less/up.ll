; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; A sum behind a barrier, of what nothing else needs there, is made before it: one value lives across it in place of two.
; CHECK: remark keep_less: k, block entry: 2 values become one before it
; CHECK: bitcast i32 %b to float
; CHECK-NEXT: fadd float %a, %
; CHECK-NEXT: call void @heddle.barrier
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %some) {
entry:
  %a = load float, ptr addrspace(1) %p, align 4
  %b = load i32, ptr addrspace(1) %q, align 4
  call void @heddle.barrier(i32 0, i32 0)
  br i1 %some, label %then, label %out
then:
  %c = bitcast i32 %b to float
  %s = fadd float %a, %c
  store float %s, ptr addrspace(1) %p, align 4
  br label %out
out:
  ret void
}
