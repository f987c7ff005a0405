; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; The same, whose first try stands before the loop: what is carried is the exchange's pair.
; CHECK: br i1 %done, label %out, label %loop
define void @k(ptr addrspace(1) %p) {
entry:
  %seen = load i32, ptr addrspace(1) %p, align 4
  %more = add i32 %seen, 3
  %first = cmpxchg ptr addrspace(1) %p, i32 %seen, i32 %more monotonic monotonic, align 4
  %at_once = extractvalue { i32, i1 } %first, 1
  br i1 %at_once, label %out, label %loop
loop:
  %pair = phi { i32, i1 } [ %first, %entry ], [ %x, %loop ]
  %old = extractvalue { i32, i1 } %pair, 0
  %new = add i32 %old, 3
  %x = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %x, 1
  br i1 %done, label %out, label %loop
out:
  ret void
}
