; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: check=1 args=16
; Registers, parameters at constant places and variables of the thread within their bounds need no check.
; CHECK: define void @k
declare ptr addrspace(4) @heddle.args()
define void @k() {
  %r = alloca i32, align 4
  %a = alloca [4 x i32], align 4
  %args = call ptr addrspace(4) @heddle.args()
  %p = getelementptr i8, ptr addrspace(4) %args, i64 8
  %x = load i32, ptr addrspace(4) %p, align 4
  store i32 %x, ptr %r, align 4
  %last = getelementptr i8, ptr %a, i64 12
  store i32 %x, ptr %last, align 4
  ret void
}
