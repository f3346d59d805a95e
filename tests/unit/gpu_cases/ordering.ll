; PTX: membar.sys
define ptx_kernel void @ordering(ptr %p, ptr addrspace(1) %g) {
  %a = load atomic i32, ptr %p acquire, align 4
  store atomic i32 %a, ptr addrspace(1) %g release, align 4
  %b = load atomic i64, ptr %p seq_cst, align 8
  store atomic i64 %b, ptr %p seq_cst, align 8
  %c = load atomic float, ptr %p monotonic, align 4
  store atomic float %c, ptr %p unordered, align 4
  fence seq_cst
  %v = load volatile i32, ptr %p, align 4
  store volatile i32 %v, ptr addrspace(1) %g, align 4
  ret void
}
