; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: free_width=16 block=64
; cpu: haswell
; Three values that a loop carries would take 12 of 16 registers.
; CHECK: remark width: k: 16 lanes: a loop that carries many values
; CHECK: width 16
define void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %up, %loop ]
  %a = phi float [ 1.0, %entry ], [ %b2, %loop ]
  %b = phi float [ 2.0, %entry ], [ %c2, %loop ]
  %c = phi float [ 3.0, %entry ], [ %a2, %loop ]
  %a2 = fmul float %a, 2.0
  %b2 = fmul float %b, 3.0
  %c2 = fmul float %c, 4.0
  %up = add i32 %i, 1
  %more = icmp ult i32 %up, %n
  br i1 %more, label %loop, label %out
out:
  store float %a2, ptr addrspace(1) %p
  ret void
}
