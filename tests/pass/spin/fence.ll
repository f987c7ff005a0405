; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; A loop that asks memory again behind a fence waits for another thread, also where the load is an ordinary one.
; CHECK: fence
; CHECK: call void @heddle.yield()
define void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %v = load i32, ptr addrspace(1) %p, align 4
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %again, label %out
again:
  fence seq_cst
  br label %loop
out:
  ret void
}
