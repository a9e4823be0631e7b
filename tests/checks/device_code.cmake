# Compiles one adjoint source to PTX and machine code and reads both. An adjoint is a gather: an atomic
# would make its bits depend on the order of threads. A spilled register is a slow kernel that nothing
# else reports.
cmake_path(GET source STEM name)
file(MAKE_DIRECTORY ${scratch})
set(ptx ${scratch}/${name}.ptx)
execute_process(
  COMMAND ${nvcc} --ptx -std=c++20 --gpu-architecture compute_${architecture}
    -D CONTRAFLOW_KERNEL_SOURCE -D NDEBUG -I ${root} -I ${root}/include ${source} --output-file ${ptx}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${ptxas} --gpu-name sm_${architecture} --verbose ${ptx} --output-file ${ptx}.cubin
  OUTPUT_VARIABLE report ERROR_VARIABLE report COMMAND_ERROR_IS_FATAL ANY)

file(STRINGS ${ptx} atomics REGEX "[ \t](atom|red)[.]")
if(atomics)
  message(SEND_ERROR "${source} uses atomics:\n${atomics}")
endif()
string(REGEX MATCHALL "Function properties for [^\n]+\n[^\n]+" functions "${report}")
if(NOT functions)
  message(SEND_ERROR "ptxas reports no function in ${source}:\n${report}")
endif()
foreach(function IN LISTS functions)
  if(NOT function MATCHES " 0 bytes spill stores, 0 bytes spill loads")
    message(SEND_ERROR "${source} spills registers:\n${function}")
  endif()
endforeach()
