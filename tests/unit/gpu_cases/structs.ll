%pair = type { i32, double }
%packed = type <{ i8, i64, [3 x i16] }>
define internal %pair @make(i32 %a, double %b) alwaysinline {
  %p = insertvalue %pair undef, i32 %a, 0
  %q = insertvalue %pair %p, double %b, 1
  ret %pair %q
}
define ptx_kernel void @structs(ptr %p, %pair %by_value, ptr byval(%pair) align 8 %in_memory) {
  %local = alloca %packed, align 8
  %many = alloca i32, i32 4, align 16
  %x = extractvalue %pair %by_value, 0
  %made = call %pair @make(i32 %x, double 2.0)
  store %pair %made, ptr %p
  %f = getelementptr %pair, ptr %in_memory, i32 0, i32 1
  %y = load double, ptr %f
  %h = getelementptr inbounds %packed, ptr %local, i64 0, i32 2, i64 1
  store i16 3, ptr %h, align 1
  %k = load %packed, ptr %local, align 1
  %l = extractvalue %packed %k, 2, 1
  %m = sext i16 %l to i64
  %n = getelementptr double, ptr %p, i64 %m
  store double %y, ptr %n
  %o = getelementptr i32, ptr %many, i64 %m
  store i32 %x, ptr %o
  %q = load i32, ptr %many
  store i32 %q, ptr %p
  ret void
}
