; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: shapes
; cpu: haswell
; AVX2 has no scatter.
; CHECK: define {{.*}}@k.full.0(
; CHECK: vpextrd $$1, $2, ($1)
; CHECK-NOT: llvm.masked.scatter
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
  store i32 %x, ptr addrspace(1) %r, align 4
  ret i32 0
}
