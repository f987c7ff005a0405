; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: free_width=16 block=64
; cpu: haswell
; In a loop what stands around the atomics is done once a gang, so that more lanes share it.
; CHECK: remark width: k: 32 lanes
; CHECK: width 32
define void @k(ptr addrspace(1) %p, ptr addrspace(3) %bins, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %up, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  %bin = getelementptr i32, ptr addrspace(3) %bins, i32 %v
  %old = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
  %up = add i32 %i, 1
  %more = icmp ult i32 %up, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
