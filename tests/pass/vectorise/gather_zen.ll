; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: shapes
; cpu: znver2
; On AMD's processors a load a lane takes less: one operation for four, which reads through the base alone.
; CHECK: define {{.*}}@k.full.0(
; CHECK: call { <4 x i32>, i64, i64 } asm "vmovq{{.*}}sarq $$32, $1{{.*}}vpinsrd $$3, ($3,$1,4), $0, $0
; CHECK-NOT: llvm.masked.gather
; CHECK: memory(argmem: read)
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %x = call i32 @heddle.tid.x()
  %e = zext i32 %x to i64
  %o = shl i64 %e, 2
  %q = inttoptr i64 %o to ptr addrspace(1)
  %i = load i32, ptr addrspace(1) %q, align 4
  %w = sext i32 %i to i64
  %p = shl i64 %w, 2
  %b = add i64 %p, 4096
  %r = inttoptr i64 %b to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %r, align 4
  store i32 %v, ptr addrspace(1) %q, align 4
  ret i32 0
}
