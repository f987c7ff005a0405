; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: flush_denormals
; llvm: 22
; A product is flushed where it is stored. The sum of a loop is left alone until it leaves the loop, also where registers have no type.
; CHECK: %sum = phi i32 [ 0, %entry ], [ %bits, %loop ]
; CHECK: %next = fadd float %old, %x
; CHECK-NEXT: %bits = bitcast float %next to i32
; CHECK: out:
; CHECK: [[S:%[0-9]+]] = call float @llvm.canonicalize.f32(float {{%[0-9]+}})
; CHECK: store i32 {{%[0-9]+}}, ptr %p
; CHECK: [[M:%[0-9]+]] = call float @llvm.canonicalize.f32(float %m)
; CHECK: store float [[M]], ptr %p
define void @k(ptr %p, float %x) {
entry:
  br label %loop
loop:
  %sum = phi i32 [ 0, %entry ], [ %bits, %loop ]
  %old = bitcast i32 %sum to float
  %next = fadd float %old, %x
  %bits = bitcast float %next to i32
  %more = fcmp olt float %next, 8.0
  br i1 %more, label %loop, label %out
out:
  store i32 %bits, ptr %p
  %m = fmul float %x, 3.0
  store float %m, ptr %p
  ret void
}
