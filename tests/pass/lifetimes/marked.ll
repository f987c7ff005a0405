; SPDX-License-Identifier: Apache-2.0
; expect: fires
; CHECK: %a = alloca i32
; CHECK-NEXT: store i32 1, ptr %a
; CHECK-NOT: call void
declare void @llvm.lifetime.start.p0(i64, ptr)
define void @k() {
  %a = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  store i32 1, ptr %a
  ret void
}
