; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=8
; x86: skylake-avx512
; The same on a processor with gathers and scatters.
; CHECK: remark unroll_lanes: k, k.region.0, block next: unrolled: 15 steps of
; CHECK: marked 1
; CHECK: !"llvm.loop.unroll.full"
declare i32 @heddle.tid.x()
declare ptr addrspace(3) @heddle.shared()
define i32 @k.region.0() {
entry:
  %s = call ptr addrspace(3) @heddle.shared()
  %t = call i32 @heddle.tid.x()
  br label %loop
loop:
  %d = phi i32 [ 0, %entry ], [ %up, %next ]
  %y = sub i32 %d, %t
  %in = icmp ult i32 %y, 8
  br i1 %in, label %work, label %next
work:
  %o = shl i32 %y, 6
  %p = getelementptr i8, ptr addrspace(3) %s, i32 %o
  store i32 %d, ptr addrspace(3) %p
  br label %next
next:
  %up = add i32 %d, 1
  %more = icmp slt i32 %up, 15
  br i1 %more, label %loop, label %out
out:
  ret i32 0
}
