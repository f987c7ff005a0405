; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; A try that is made again in the loop, as the first one before it: a thread gives way while it holds nothing.
; CHECK: loop:
; CHECK-NEXT: %back = atomicrmw add
; CHECK-NEXT: call void @heddle.yield()
; CHECK-NEXT: %again = atomicrmw sub
define void @k(ptr addrspace(1) %p) {
entry:
  %first = atomicrmw sub ptr addrspace(1) %p, i32 1 monotonic, align 4
  %got = icmp sgt i32 %first, 0
  br i1 %got, label %out, label %loop
loop:
  %back = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %again = atomicrmw sub ptr addrspace(1) %p, i32 1 monotonic, align 4
  %gets = icmp sgt i32 %again, 0
  br i1 %gets, label %out, label %loop
out:
  ret void
}
