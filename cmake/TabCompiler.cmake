# What every file of ours is compiled with, whatever the host.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT EMSCRIPTEN)
  # Two checkouts of the same files share what is compiled.
  set(with_ccache "${CMAKE_COMMAND}" -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 "${CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${with_ccache}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${with_ccache}")
endif()

# vptr needs RTTI, which the core does without.
if(TABERNETES_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined -fno-sanitize=vptr)
endif()
if(TABERNETES_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

# Newer compilers than those we have tried know new warnings: those are shown and do not stop a build.
set(tab_werror -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 20
   OR CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  set(tab_werror "")
endif()
# Members that a designated initialiser leaves out have their defaults: that is what it is for. GCC and Clang 18 warn,
# and newer ones under a name of its own.
set(tab_left_out "")
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  set(tab_left_out -Wno-missing-designated-field-initializers)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 18)
  set(tab_left_out -Wno-missing-field-initializers)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(tab_left_out -Wno-missing-field-initializers)
endif()

# The warnings of our own targets; third-party headers come as SYSTEM and are not judged.
function(tab_warnings target)
  if(TABERNETES_DEVELOPER_MODE)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow ${tab_left_out} ${tab_werror})
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      # GCC 12 sees overlapping copies in std::string's operator+ and lost pointers in inlined optionals
      # (its bugs 105329 and 105562).
      target_compile_options(${target} PRIVATE -Wno-restrict -Wno-maybe-uninitialized)
    endif()
  endif()
endfunction()

# tab_unity(TARGET BATCH): compiles the files of a target in batches of so many, as one text each, which parses the headers once a batch:
# a fourth of the time. So names in anonymous namespaces and `using` at file scope are shared by the files of a target.
option(TABERNETES_UNITY "Compile several files at once" ON)
function(tab_unity target batch)
  if(TABERNETES_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
endfunction()
