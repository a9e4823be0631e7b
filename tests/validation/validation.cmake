# The short set of the validation, one test per group; skipped, and said so, without Python's packages.
if(CONTRAFLOW_CUDA OR CONTRAFLOW_SANITIZE)
  return()
endif()
file(GLOB groups RELATIVE ${CMAKE_CURRENT_LIST_DIR}/groups CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_LIST_DIR}/groups/*.py)
foreach(group IN LISTS groups)
  cmake_path(REMOVE_EXTENSION group)
  add_test(NAME validation.${group} COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/run.sh --quick
    --only ${group} --jobs 1 --program $<TARGET_FILE:contraflow_cli>)
  set_tests_properties(validation.${group} PROPERTIES LABELS validation SKIP_RETURN_CODE 77)
endforeach()
