; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=8
; after: shapes
; What one lane of the only gang does is the code of that thread.
; CHECK: define {{.*}}@k.full.0(
; CHECK: load i32, ptr
; CHECK: mul i32
; CHECK-NOT: <8 x i32>
declare i32 @heddle.tid.x()
declare ptr addrspace(3) @heddle.shared()
define i32 @k.region.0() {
entry:
  %s = call ptr addrspace(3) @heddle.shared()
  %x = call i32 @heddle.tid.x()
  %in = icmp eq i32 %x, 0
  br i1 %in, label %work, label %out
work:
  %i = load i32, ptr addrspace(3) %s, align 4
  %o = mul i32 %i, %i
  %m = and i32 %o, 252
  %p = getelementptr i8, ptr addrspace(3) %s, i32 %m
  %v = load i32, ptr addrspace(3) %p, align 4
  store i32 %v, ptr addrspace(3) %s, align 4
  br label %out
out:
  ret i32 0
}
