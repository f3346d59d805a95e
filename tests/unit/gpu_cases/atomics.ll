; PTX: atom
define ptx_kernel void @atomics(ptr %p, ptr addrspace(3) %s, ptr addrspace(1) %g, i32 %v,
        i64 %w, float %f, double %d) {
  %a = atomicrmw add ptr %p, i32 %v monotonic
  %b = atomicrmw sub ptr %p, i32 %a acq_rel
  %c = atomicrmw and ptr %p, i32 %b seq_cst
  %e = atomicrmw or ptr addrspace(3) %s, i32 %c monotonic
  %h = atomicrmw xor ptr addrspace(1) %g, i32 %e monotonic
  %i = atomicrmw max ptr %p, i32 %h monotonic
  %j = atomicrmw min ptr %p, i32 %i monotonic
  %k = atomicrmw umax ptr %p, i64 %w monotonic
  %l = atomicrmw umin ptr addrspace(1) %g, i64 %k monotonic
  %m = atomicrmw xchg ptr %p, i32 %j monotonic
  %n = atomicrmw xchg ptr %p, float %f monotonic
  %o = atomicrmw fadd ptr %p, double %d monotonic
  %q = atomicrmw fsub ptr addrspace(3) %s, float %n monotonic
  %r = atomicrmw uinc_wrap ptr %p, i32 %m monotonic
  %t = atomicrmw udec_wrap ptr addrspace(1) %g, i32 %r monotonic
  %u = cmpxchg ptr %p, i32 %t, i32 7 acq_rel monotonic
  %x = extractvalue { i32, i1 } %u, 0
  %y = cmpxchg weak ptr addrspace(3) %s, i64 %l, i64 %w seq_cst seq_cst
  %z = extractvalue { i64, i1 } %y, 1
  %zz = zext i1 %z to i32
  %sum = add i32 %x, %zz
  store i32 %sum, ptr %p
  ret void
}
