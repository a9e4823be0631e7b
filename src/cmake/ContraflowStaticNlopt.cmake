# NLopt as a static library, for portable builds: Debian packages the shared one only, so its source
# is fetched from Debian's archive.
include(FetchContent)
FetchContent_Declare(nlopt
  URL http://deb.debian.org/debian/pool/main/n/nlopt/nlopt_2.7.1.orig.tar.gz
    https://snapshot.debian.org/file/a27c2383250e98b194b4a3edc4a41dc7f2c341c1
  URL_HASH SHA256=db88232fa5cef0ff6e39943fc63ab6074208831dc0031cf1545f6ecd31ae2a1a
  DOWNLOAD_EXTRACT_TIMESTAMP ON)
FetchContent_GetProperties(nlopt)
if(NOT nlopt_POPULATED)
  FetchContent_Populate(nlopt)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # lets the plain variables below set its options
  set(BUILD_SHARED_LIBS OFF)
  foreach(option IN ITEMS CXX FORTRAN PYTHON OCTAVE MATLAB GUILE SWIG TESTS)
    set(NLOPT_${option} OFF)
  endforeach()
  set(CMAKE_WARN_DEPRECATED OFF)
  enable_language(C)
  add_subdirectory(${nlopt_SOURCE_DIR} ${nlopt_BINARY_DIR} EXCLUDE_FROM_ALL)
  unset(BUILD_SHARED_LIBS)
  set_target_properties(nlopt PROPERTIES # our warnings are not for its headers
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${nlopt_SOURCE_DIR}/src/api;${nlopt_BINARY_DIR}")
  add_library(contraflow::nlopt INTERFACE IMPORTED GLOBAL)
  target_link_libraries(contraflow::nlopt INTERFACE nlopt)
endif()
