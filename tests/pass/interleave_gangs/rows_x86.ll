; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: width=16 block=32,8,1
; cpu: skylake-avx512
; AVX-512 loses by it: the machine has no figure.
; CHECK: side 1
; CHECK-NOT: remark interleave_gangs: k: rows of
declare i32 @heddle.tid.x()
declare i32 @heddle.tid.y()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define void @k() {
entry:
  %a = call ptr addrspace(4) @heddle.args()
  %pitch = load i64, ptr addrspace(4) %a, align 8, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %y = call i32 @heddle.tid.y()
  %c = call i32 @heddle.ctaid.x()
  %x64 = zext i32 %x to i64
  %y64 = zext i32 %y to i64
  %c64 = zext i32 %c to i64
  %b = mul i64 %c64, 32
  %col = add i64 %b, %x64
  %row = mul i64 %y64, %pitch
  %i = add i64 %row, %col
  %o = mul i64 %i, 4
  %p = inttoptr i64 %o to ptr addrspace(1)
  %v = load float, ptr addrspace(1) %p, align 4
  %w = fadd float %v, 1.0
  store float %w, ptr addrspace(1) %p, align 4
  ret void
}
!0 = !{}
