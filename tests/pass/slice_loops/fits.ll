; SPDX-License-Identifier: Apache-2.0
; expect: declines
; cpu: neoverse-v1
; Four sums and what they are made of are 21 registers.
; CHECK: load <16 x float>
; CHECK-NOT: <4 x float>
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
define void @k.full.0(ptr %f, ptr %x, ptr %y, ptr %z, i64 %n) {
entry:
  %p0 = getelementptr i8, ptr %f, i64 0
  %a0 = load <16 x float>, ptr %p0, align 16, !alias.scope !0
  %p1 = getelementptr i8, ptr %f, i64 64
  %a1 = load <16 x float>, ptr %p1, align 16, !alias.scope !0
  %p2 = getelementptr i8, ptr %f, i64 128
  %a2 = load <16 x float>, ptr %p2, align 16, !alias.scope !0
  %p3 = getelementptr i8, ptr %f, i64 192
  %a3 = load <16 x float>, ptr %p3, align 16, !alias.scope !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %up, %loop ]
  %s0 = phi <16 x float> [ %a0, %entry ], [ %t0, %loop ]
  %s1 = phi <16 x float> [ %a1, %entry ], [ %t1, %loop ]
  %s2 = phi <16 x float> [ %a2, %entry ], [ %t2, %loop ]
  %s3 = phi <16 x float> [ %a3, %entry ], [ %t3, %loop ]
  %xk = getelementptr float, ptr %x, i64 %i
  %row = shl i64 %i, 8
  %yk = getelementptr i8, ptr %y, i64 %row
  %xp0 = getelementptr i8, ptr %xk, i64 0
  %xv0 = load float, ptr %xp0, align 4, !noalias !0
  %xe0 = insertelement <16 x float> poison, float %xv0, i64 0
  %xs0 = shufflevector <16 x float> %xe0, <16 x float> poison, <16 x i32> zeroinitializer
  %yp0 = getelementptr i8, ptr %yk, i64 0
  %yv0 = load <16 x float>, ptr %yp0, align 4, !noalias !0
  %yp1 = getelementptr i8, ptr %yk, i64 64
  %yv1 = load <16 x float>, ptr %yp1, align 4, !noalias !0
  %yp2 = getelementptr i8, ptr %yk, i64 128
  %yv2 = load <16 x float>, ptr %yp2, align 4, !noalias !0
  %yp3 = getelementptr i8, ptr %yk, i64 192
  %yv3 = load <16 x float>, ptr %yp3, align 4, !noalias !0
  %t0 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs0, <16 x float> %yv0, <16 x float> %s0)
  %t1 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs0, <16 x float> %yv1, <16 x float> %s1)
  %t2 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs0, <16 x float> %yv2, <16 x float> %s2)
  %t3 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs0, <16 x float> %yv3, <16 x float> %s3)
  %up = add i64 %i, 1
  %more = icmp ult i64 %up, %n
  br i1 %more, label %loop, label %out
out:
  store <16 x float> %t0, ptr %p0, align 16, !alias.scope !0
  store <16 x float> %t1, ptr %p1, align 16, !alias.scope !0
  store <16 x float> %t2, ptr %p2, align 16, !alias.scope !0
  store <16 x float> %t3, ptr %p3, align 16, !alias.scope !0
  ret void
}
!0 = !{!1}
!1 = !{!"frame", !2}
!2 = !{!"frame"}
