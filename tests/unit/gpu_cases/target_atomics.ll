; PTX: inc.u32
declare i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr, i32)
declare float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr, float)
define ptx_kernel void @target_atomics(ptr %p, i32 %v, float %f) {
  %a = call i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr %p, i32 %v)
  %b = call float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr %p, float %f)
  store i32 %a, ptr %p
  store float %b, ptr %p
  ret void
}
