; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; A loop that waits for what another thread stores must let that one run.
; CHECK: spin:
; CHECK-NEXT: call void @heddle.yield()
; CHECK-NEXT: br label %loop
define void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %loop, label %out
out:
  ret void
}
