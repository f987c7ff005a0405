; SPDX-License-Identifier: Apache-2.0
; expect: fires
; cpu: haswell
; What the loop takes over after its first iteration is loaded as a whole, before all slices, since it has not begun with it.
; CHECK: [[LATER:%[a-z0-9]+]] = load <16 x float>, ptr %p15
; CHECK: shufflevector <16 x float> [[LATER]],
; CHECK: load <8 x float>{{.*}}!alias.scope
; CHECK: fma.v8f32
; CHECK: store <8 x float>{{.*}}!alias.scope
; CHECK: shufflevector <16 x float> [[LATER]],
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
  %p4 = getelementptr i8, ptr %f, i64 256
  %a4 = load <16 x float>, ptr %p4, align 16, !alias.scope !0
  %p5 = getelementptr i8, ptr %f, i64 320
  %a5 = load <16 x float>, ptr %p5, align 16, !alias.scope !0
  %p6 = getelementptr i8, ptr %f, i64 384
  %a6 = load <16 x float>, ptr %p6, align 16, !alias.scope !0
  %p7 = getelementptr i8, ptr %f, i64 448
  %a7 = load <16 x float>, ptr %p7, align 16, !alias.scope !0
  %p8 = getelementptr i8, ptr %f, i64 512
  %a8 = load <16 x float>, ptr %p8, align 16, !alias.scope !0
  %p9 = getelementptr i8, ptr %f, i64 576
  %a9 = load <16 x float>, ptr %p9, align 16, !alias.scope !0
  %p10 = getelementptr i8, ptr %f, i64 640
  %a10 = load <16 x float>, ptr %p10, align 16, !alias.scope !0
  %p11 = getelementptr i8, ptr %f, i64 704
  %a11 = load <16 x float>, ptr %p11, align 16, !alias.scope !0
  %p12 = getelementptr i8, ptr %f, i64 768
  %a12 = load <16 x float>, ptr %p12, align 16, !alias.scope !0
  %p13 = getelementptr i8, ptr %f, i64 832
  %a13 = load <16 x float>, ptr %p13, align 16, !alias.scope !0
  %p14 = getelementptr i8, ptr %f, i64 896
  %a14 = load <16 x float>, ptr %p14, align 16, !alias.scope !0
  %p15 = getelementptr i8, ptr %f, i64 960
  %a15 = load <16 x float>, ptr %p15, align 16, !alias.scope !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %up, %loop ]
  %s0 = phi <16 x float> [ %a0, %entry ], [ %t0, %loop ]
  %s1 = phi <16 x float> [ %a1, %entry ], [ %t1, %loop ]
  %s2 = phi <16 x float> [ %a2, %entry ], [ %t2, %loop ]
  %s3 = phi <16 x float> [ %a3, %entry ], [ %t3, %loop ]
  %s4 = phi <16 x float> [ %a4, %entry ], [ %t4, %loop ]
  %s5 = phi <16 x float> [ %a5, %entry ], [ %t5, %loop ]
  %s6 = phi <16 x float> [ %a6, %entry ], [ %t6, %loop ]
  %s7 = phi <16 x float> [ %a7, %entry ], [ %t7, %loop ]
  %s8 = phi <16 x float> [ %a8, %entry ], [ %t8, %loop ]
  %s9 = phi <16 x float> [ %a9, %entry ], [ %t9, %loop ]
  %s10 = phi <16 x float> [ %a10, %entry ], [ %t10, %loop ]
  %s11 = phi <16 x float> [ %a11, %entry ], [ %t11, %loop ]
  %s12 = phi <16 x float> [ %a12, %entry ], [ %t12, %loop ]
  %s13 = phi <16 x float> [ %a13, %entry ], [ %t13, %loop ]
  %s14 = phi <16 x float> [ %a14, %entry ], [ %t14, %loop ]
  %s15 = phi <16 x float> [ zeroinitializer, %entry ], [ %a15, %loop ]
  %xk = getelementptr float, ptr %x, i64 %i
  %row = shl i64 %i, 8
  %yk = getelementptr i8, ptr %y, i64 %row
  %xp0 = getelementptr i8, ptr %xk, i64 0
  %xv0 = load float, ptr %xp0, align 4, !noalias !0
  %xe0 = insertelement <16 x float> poison, float %xv0, i64 0
  %xs0 = shufflevector <16 x float> %xe0, <16 x float> poison, <16 x i32> zeroinitializer
  %xp1 = getelementptr i8, ptr %xk, i64 64
  %xv1 = load float, ptr %xp1, align 4, !noalias !0
  %xe1 = insertelement <16 x float> poison, float %xv1, i64 0
  %xs1 = shufflevector <16 x float> %xe1, <16 x float> poison, <16 x i32> zeroinitializer
  %xp2 = getelementptr i8, ptr %xk, i64 128
  %xv2 = load float, ptr %xp2, align 4, !noalias !0
  %xe2 = insertelement <16 x float> poison, float %xv2, i64 0
  %xs2 = shufflevector <16 x float> %xe2, <16 x float> poison, <16 x i32> zeroinitializer
  %xp3 = getelementptr i8, ptr %xk, i64 192
  %xv3 = load float, ptr %xp3, align 4, !noalias !0
  %xe3 = insertelement <16 x float> poison, float %xv3, i64 0
  %xs3 = shufflevector <16 x float> %xe3, <16 x float> poison, <16 x i32> zeroinitializer
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
  %t4 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs1, <16 x float> %yv0, <16 x float> %s4)
  %t5 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs1, <16 x float> %yv1, <16 x float> %s5)
  %t6 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs1, <16 x float> %yv2, <16 x float> %s6)
  %t7 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs1, <16 x float> %yv3, <16 x float> %s7)
  %t8 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs2, <16 x float> %yv0, <16 x float> %s8)
  %t9 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs2, <16 x float> %yv1, <16 x float> %s9)
  %t10 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs2, <16 x float> %yv2, <16 x float> %s10)
  %t11 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs2, <16 x float> %yv3, <16 x float> %s11)
  %t12 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs3, <16 x float> %yv0, <16 x float> %s12)
  %t13 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs3, <16 x float> %yv1, <16 x float> %s13)
  %t14 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs3, <16 x float> %yv2, <16 x float> %s14)
  %t15 = call <16 x float> @llvm.fma.v16f32(<16 x float> %xs3, <16 x float> %yv3, <16 x float> %s15)
  %up = add i64 %i, 1
  %more = icmp ult i64 %up, %n
  br i1 %more, label %loop, label %out
out:
  store <16 x float> %t0, ptr %p0, align 16, !alias.scope !0
  store <16 x float> %t1, ptr %p1, align 16, !alias.scope !0
  store <16 x float> %t2, ptr %p2, align 16, !alias.scope !0
  store <16 x float> %t3, ptr %p3, align 16, !alias.scope !0
  store <16 x float> %t4, ptr %p4, align 16, !alias.scope !0
  store <16 x float> %t5, ptr %p5, align 16, !alias.scope !0
  store <16 x float> %t6, ptr %p6, align 16, !alias.scope !0
  store <16 x float> %t7, ptr %p7, align 16, !alias.scope !0
  store <16 x float> %t8, ptr %p8, align 16, !alias.scope !0
  store <16 x float> %t9, ptr %p9, align 16, !alias.scope !0
  store <16 x float> %t10, ptr %p10, align 16, !alias.scope !0
  store <16 x float> %t11, ptr %p11, align 16, !alias.scope !0
  store <16 x float> %t12, ptr %p12, align 16, !alias.scope !0
  store <16 x float> %t13, ptr %p13, align 16, !alias.scope !0
  store <16 x float> %t14, ptr %p14, align 16, !alias.scope !0
  store <16 x float> %t15, ptr %p15, align 16, !alias.scope !0
  ret void
}
!0 = !{!1}
!1 = !{!"frame", !2}
!2 = !{!"frame"}
