# Every build writes the version and the commit it was made from into a source of its own. As a script
# (cmake -P) this file writes that source; included, it adds the step to the library.
if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(COMMAND git --no-optional-locks describe --always --dirty --abbrev=12 --exclude *
    WORKING_DIRECTORY ${source_dir} OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(commit unknown)
  endif()
  configure_file(${source_dir}/src/core/version.cpp.in ${output} @ONLY)
else()
  set(output ${PROJECT_BINARY_DIR}/generated/version.cpp)
  add_custom_target(contraflow_version BYPRODUCTS ${output}
    COMMAND ${CMAKE_COMMAND} -D source_dir=${PROJECT_SOURCE_DIR} -D output=${output}
      -D version=${PROJECT_VERSION} -P ${CMAKE_CURRENT_LIST_FILE}
    VERBATIM)
  add_dependencies(contraflow contraflow_version)
  target_sources(contraflow PRIVATE ${output})
endif()
