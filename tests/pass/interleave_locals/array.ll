; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; The array of all lanes, element by element.
; CHECK: remark interleave_locals: k, block entry: 64 bytes are kept element by element for all lanes
; CHECK: lanes 64
; CHECK: @heddle.frame.lane
; CHECK-NOT: alloca
declare void @away(ptr)
define void @k(ptr addrspace(1) %p, i64 %i) {
entry:
  %a = alloca [16 x i32], align 4
  %o = shl i64 %i, 2
  %q = getelementptr i8, ptr %a, i64 %o
  store i32 7, ptr %q
  
  %v = load i32, ptr %q
  store i32 %v, ptr addrspace(1) %p
  ret void
}
