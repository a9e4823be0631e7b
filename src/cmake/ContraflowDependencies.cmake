# Finds what the library is built on and lists it in two variables:
#
#   contraflow_link_libraries     linked into every program that uses the library
#   contraflow_header_libraries   needed to compile the library only
#
# Also installed: the package file includes it, so that programs outside find the same libraries.

if(CONTRAFLOW_PORTABLE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a
    OUTPUT_VARIABLE OpenMP_gomp_LIBRARY OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_package(OpenMP REQUIRED COMPONENTS CXX)
set(contraflow_link_libraries OpenMP::OpenMP_CXX)
set(contraflow_header_libraries "")

# contraflow_dependency(NAME HEADER header PACKAGE package [SUFFIXES folder...] [LIBRARIES library...]
# [STATIC library...]): the imported target contraflow::NAME. PACKAGE is Debian's, for the error
# message; STATIC names the archives that replace LIBRARIES in a portable build.
function(contraflow_dependency name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;PACKAGE" "SUFFIXES;LIBRARIES;STATIC")
  find_path(CONTRAFLOW_${name}_INCLUDE ${arg_HEADER} PATH_SUFFIXES ${arg_SUFFIXES})
  set(found ${CONTRAFLOW_${name}_INCLUDE})
  set(libraries ${arg_LIBRARIES})
  if(CONTRAFLOW_PORTABLE)
    list(TRANSFORM arg_STATIC REPLACE "(.+)" "lib\\1.a" OUTPUT_VARIABLE libraries)
  endif()
  set(paths "")
  foreach(library IN LISTS libraries)
    find_library(CONTRAFLOW_${name}_${library} ${library} PATH_SUFFIXES ${arg_SUFFIXES})
    list(APPEND paths ${CONTRAFLOW_${name}_${library}})
  endforeach()
  if("${found};${paths}" MATCHES "NOTFOUND")
    message(FATAL_ERROR "contraflow needs ${name}; on Debian: apt-get install ${arg_PACKAGE}")
  endif()
  if(NOT TARGET contraflow::${name})
    add_library(contraflow::${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(contraflow::${name} INTERFACE ${found})
    target_link_libraries(contraflow::${name} INTERFACE ${paths} ${CMAKE_DL_LIBS})
  endif()
endfunction()

contraflow_dependency(hdf5 HEADER hdf5.h PACKAGE libhdf5-dev SUFFIXES hdf5/serial
  LIBRARIES hdf5 STATIC hdf5 sz aec z)
contraflow_dependency(openblas HEADER openblas_config.h PACKAGE libopenblas-pthread-dev
  SUFFIXES openblas-pthread LIBRARIES openblas STATIC openblas)
contraflow_dependency(zlib HEADER zlib.h PACKAGE zlib1g-dev LIBRARIES z STATIC z)
list(APPEND contraflow_link_libraries contraflow::hdf5 contraflow::openblas contraflow::zlib)

find_package(fmt REQUIRED)
if(CONTRAFLOW_PORTABLE)
  include(ContraflowStaticNlopt)
  list(APPEND contraflow_link_libraries fmt::fmt-header-only)
else()
  contraflow_dependency(nlopt HEADER nlopt.hpp PACKAGE libnlopt-cxx-dev LIBRARIES nlopt)
  list(APPEND contraflow_link_libraries fmt::fmt)
endif()
list(APPEND contraflow_link_libraries contraflow::nlopt)

if(CONTRAFLOW_CUDA)
  find_package(CUDAToolkit REQUIRED)
  list(APPEND contraflow_link_libraries CUDA::cudart CUDA::cublas)
endif()

if(NOT contraflow_FIND_NAME) # a program outside uses the public headers, which need none of these
  contraflow_dependency(toml HEADER toml++/toml.h PACKAGE libtomlplusplus-dev)
  contraflow_dependency(cli11 HEADER CLI/CLI.hpp PACKAGE libcli11-dev)
  contraflow_dependency(eigen HEADER Eigen/Core PACKAGE libeigen3-dev SUFFIXES eigen3)
  set(contraflow_header_libraries contraflow::toml contraflow::cli11 contraflow::eigen)
endif()
