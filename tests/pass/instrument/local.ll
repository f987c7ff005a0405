; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: check=1
; An access to a variable of the thread is told by its offset and the variable's size.
; CHECK: %[[off:.*]] = sub i64
; CHECK: call void @heddle.rt.check.local(i64 %[[off]], i32 32, i32
; CHECK: store i32
define void @k(i32 %i) {
  %a = alloca [8 x i32], align 4
  %n = ptrtoint ptr %a to i64
  %j = sext i32 %i to i64
  %k = shl i64 %j, 2
  %at = add i64 %n, %k
  %p = inttoptr i64 %at to ptr addrspace(5)
  store i32 %i, ptr addrspace(5) %p, align 4
  ret void
}
