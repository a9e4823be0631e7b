# Installs the build into a scratch prefix, then configures, builds and runs a project that knows
# nothing but find_package(contraflow).
set(scratch ${build}/consumer)
file(REMOVE_RECURSE ${scratch})
foreach(command
    "--install;${build};--prefix;${scratch}/prefix"
    "-S;${CMAKE_CURRENT_LIST_DIR};-B;${scratch}/build;-G;${generator};-DCMAKE_PREFIX_PATH=${scratch}/prefix"
    "--build;${scratch}/build")
  execute_process(COMMAND ${CMAKE_COMMAND} ${command} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND ${scratch}/build/consumer COMMAND_ERROR_IS_FATAL ANY)
