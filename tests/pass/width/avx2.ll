; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: free_width=16 block=64
; cpu: haswell
; Four vectors of 8 lanes side by side, where a loop carries little beside its induction variable.
; CHECK: remark width: k: 32 lanes
; CHECK: width 32
define void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %up, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %t = fmul float %s, 2.0
  %up = add i32 %i, 1
  %more = icmp ult i32 %up, %n
  br i1 %more, label %loop, label %out
out:
  store float %t, ptr addrspace(1) %p
  ret void
}
