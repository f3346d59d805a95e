define ptx_kernel void @vectors(ptr %p, float %x, i64 %i) {
  %v = load <4 x float>, ptr %p, align 16
  %w = insertelement <4 x float> %v, float %x, i64 2
  %s = shufflevector <4 x float> %w, <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>,
       <4 x i32> <i32 0, i32 5, i32 poison, i32 3>
  %f = fneg <4 x float> %s
  %m = fmul <4 x float> %f, splat (float 2.0)
  %c = fcmp ogt <4 x float> %m, zeroinitializer
  %k = select <4 x i1> %c, <4 x float> %m, <4 x float> %v
  %e = extractelement <4 x float> %k, i64 %i
  store <4 x float> %k, ptr %p, align 16
  store float %e, ptr %p
  %q = getelementptr float, ptr %p, <2 x i64> <i64 1, i64 2>
  %q0 = extractelement <2 x ptr> %q, i32 0
  store float %e, ptr %q0
  ret void
}
