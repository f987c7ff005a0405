; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; Two edges of a switch lead to the same block of a cycle with several entries: they get one yield between them, and the phi one entry.
; CHECK: phi i32 [ 1, %entry ], [ 2, %spin ]
; CHECK-NOT: {{^}}spin{{[0-9]+}}:
define void @k(ptr addrspace(1) %p, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = phi i32 [ 1, %entry ], [ 2, %b ], [ 2, %b ]
  store i32 %x, ptr addrspace(1) %p
  %v = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  br label %b
b:
  %y = phi i32 [ 0, %entry ], [ %v, %a ]
  switch i32 %y, label %out [ i32 1, label %a
                              i32 2, label %a ]
out:
  ret void
}
