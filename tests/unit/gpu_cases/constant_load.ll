; PTX: ld.global.nc.
define ptx_kernel void @constant_load(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %a = load float, ptr addrspace(1) %in, align 4, !invariant.load !0
  store float %a, ptr addrspace(1) %out, align 4
  ret void
}
!0 = !{}
