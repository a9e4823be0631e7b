# Tests that are not C++: of the tree itself, of the device code, of the package and its files.

# contraflow_check(NAME SCRIPT [-D variable=value]...): the CMake script SCRIPT becomes the test NAME.
function(contraflow_check name script)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} ${ARGN} -P ${CMAKE_CURRENT_SOURCE_DIR}/${script})
  set_tests_properties(${name} PROPERTIES LABELS checks)
endfunction()

contraflow_check(every_kernel_has_an_adjoint_and_a_test checks/mirror.cmake
  -D root=${PROJECT_SOURCE_DIR})

contraflow_check(an_installed_contraflow_can_be_found_and_linked consumer/run.cmake
  -D build=${PROJECT_BINARY_DIR} -D generator=${CMAKE_GENERATOR})

if(CONTRAFLOW_CUDA)
  string(REGEX MATCH "[0-9]+" architecture "${CMAKE_CUDA_ARCHITECTURES};90")
  file(GLOB adjoints CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/adjoint/*/*.cu)
  foreach(source IN LISTS adjoints)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH folder)
    contraflow_check(${name}_has_no_atomics_and_no_spills checks/device_code.cmake
      -D root=${PROJECT_SOURCE_DIR} -D source=${source} -D architecture=${architecture}
      -D nvcc=${CMAKE_CUDA_COMPILER} -D ptxas=${CUDAToolkit_BIN_DIR}/ptxas
      -D scratch=${PROJECT_BINARY_DIR}/device_code/${folder})
  endforeach()
endif()

if(NOT CONTRAFLOW_CUDA AND NOT CONTRAFLOW_SANITIZE)
  add_test(NAME the_commands_of_the_readme_work COMMAND bash
    ${CMAKE_CURRENT_SOURCE_DIR}/checks/readme.sh $<TARGET_FILE:contraflow_cli> ${PROJECT_SOURCE_DIR})
  add_test(NAME every_shipped_case_is_certified COMMAND bash
    ${CMAKE_CURRENT_SOURCE_DIR}/checks/cases.sh $<TARGET_FILE:contraflow_cli> ${PROJECT_SOURCE_DIR})
  set_tests_properties(the_commands_of_the_readme_work every_shipped_case_is_certified PROPERTIES
    LABELS checks RUN_SERIAL ON TIMEOUT 900)
endif()

include(paraview/paraview.cmake)
