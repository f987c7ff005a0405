; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; Numbers from a counter until one is small enough: another thread sets it back.
; CHECK: spin:
; CHECK-NEXT: call void @heddle.yield()
; CHECK-NEXT: br label %loop
define void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %n = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %wait = icmp sgt i32 %n, 0
  br i1 %wait, label %loop, label %out
out:
  ret void
}
