# Builds everything with the sanitizers in REMAT_SANITIZE. Whatever they find
# ends the program. The checks of every pointer for null, alignment and size
# double the time of the tests, and what they find mostly ends in a report of
# the address sanitizer as well.
add_compile_options("-fsanitize=${REMAT_SANITIZE}" -fno-sanitize-recover=all
                    -fno-omit-frame-pointer -g1)
add_link_options("-fsanitize=${REMAT_SANITIZE}")
if(REMAT_SANITIZE MATCHES "undefined")
  add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND REMAT_SANITIZE MATCHES "address")
  # Our shared libraries must not have undefined symbols, so the runtime has to
  # be a shared library too. It lies with the compiler.
  execute_process(
    COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libclang_rt.asan-x86_64.so
    OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(runtime_dir "${runtime}" DIRECTORY)
  add_link_options(-shared-libsan "LINKER:-rpath,${runtime_dir}")
endif()
