; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: width=1
; With one lane there is nothing to interleave.
; CHECK: remark interleave_locals: k: one lane: nothing to interleave
; CHECK: %a = alloca [16 x i32]
; CHECK-NOT: heddle.frame.lane
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
