; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: flush_denormals
; A phi of a load and of a product hands the load's bits on as they are: the product is flushed before it comes there, once for both edges.
; CHECK: [[M:%[0-9]+]] = call float @llvm.canonicalize.f32(float %m)
; CHECK-NEXT: switch i32 %c, label %other [
; CHECK: %r = phi float [ [[M]], %yes ], [ [[M]], %yes ], [ %l, %other ]
; CHECK-NEXT: store float %r, ptr %p
define void @k(ptr %p, i32 %c) {
entry:
  %l = load float, ptr %p
  br label %yes
yes:
  %m = fmul float %l, 3.0
  switch i32 %c, label %other [ i32 1, label %join
    i32 2, label %join ]
other:
  br label %join
join:
  %r = phi float [ %m, %yes ], [ %m, %yes ], [ %l, %other ]
  store float %r, ptr %p
  ret void
}
