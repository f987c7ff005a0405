; SPDX-License-Identifier: Apache-2.0
; expect: declines
; CHECK: %a = alloca i32
; CHECK-NEXT: call void @other(ptr %a)
declare void @other(ptr)
define void @k() {
  %a = alloca i32
  call void @other(ptr %a)
  store i32 1, ptr %a
  ret void
}
