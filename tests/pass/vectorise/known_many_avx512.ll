; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=16 block=16
; after: shapes
; cpu: skylake-avx512
; Of 15 lanes a scatter takes less.
; CHECK: define {{.*}}@k.full.0(
; CHECK-NOT: br i1
; CHECK-NOT: select
; CHECK: call void @llvm.masked.scatter
; CHECK-NOT: store i32
declare i32 @heddle.tid.x()
declare ptr addrspace(3) @heddle.shared()
define i32 @k.region.0() {
entry:
  %s = call ptr addrspace(3) @heddle.shared()
  %x = call i32 @heddle.tid.x()
  %in = icmp ugt i32 %x, 0
  br i1 %in, label %work, label %out
work:
  %o = mul i32 %x, 68
  %p = getelementptr i8, ptr addrspace(3) %s, i32 %o
  store i32 %x, ptr addrspace(3) %p
  br label %out
out:
  ret i32 0
}
