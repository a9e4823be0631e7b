# The fields that ParaView reads back; skipped, and said so, where it is not installed.
add_executable(write_series ${CMAKE_CURRENT_LIST_DIR}/write_series.cpp)
target_include_directories(write_series PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(write_series PRIVATE contraflow::contraflow
  ${contraflow_link_libraries} ${contraflow_header_libraries})
contraflow_compile_options(write_series)
add_test(NAME paraview.check
  COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/check.sh $<TARGET_FILE:write_series>)
set_tests_properties(paraview.check PROPERTIES LABELS paraview SKIP_RETURN_CODE 77)
