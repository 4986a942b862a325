# tab_test(FOLDER
#   SOURCES a_test.cc b_test.cc   files of tests/core/FOLDER
#   LIBRARIES third_party::x)     more than tab_FOLDER and Catch2, should a test need it
#
# makes the binary and the ctest test_FOLDER, linked with that folder's library alone. No sources: nothing is made.
function(tab_test folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT ARG_SOURCES)
    return()
  endif()
  set(target test_${folder})
  list(TRANSFORM ARG_SOURCES PREPEND "core/${folder}/")
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE tab_${folder} ${ARG_LIBRARIES} third_party::catch2_main)
  # Tests may name their data from the top of the repository.
  target_compile_definitions(${target} PRIVATE TAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # As the core: a class without RTTI cannot be the base of one with it.
  target_compile_options(${target} PRIVATE -fno-rtti)
  tab_warnings(${target})
  tab_unity(${target} 8)
  add_test(NAME ${target} COMMAND ${target})
  set_tests_properties(${target} PROPERTIES LABELS unit)
endfunction()

# tab_property_test(NAME
#   SOURCES x_property_test.cc    files of tests/property
#   DEPS store                    the folders of the core that it tests
#   LIBRARIES third_party::x)     what it is judged by
#
# makes the binary and the ctest property_NAME.
function(tab_property_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;LIBRARIES" ${ARGN})
  set(target property_${name})
  list(TRANSFORM ARG_SOURCES PREPEND "property/")
  list(TRANSFORM ARG_DEPS PREPEND "tab_")
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_DEPS} ${ARG_LIBRARIES} third_party::catch2_main)
  target_compile_options(${target} PRIVATE -fno-rtti)
  tab_warnings(${target})
  tab_unity(${target} 8)
  add_test(NAME ${target} COMMAND ${target})
  set_tests_properties(${target} PROPERTIES LABELS property)
endfunction()

# tab_fuzz(NAME
#   SOURCES x_fuzz.cc             files of tests/fuzz
#   DEPS codec json               the folders of the core it drives
#   LIBRARIES third_party::x)
#
# makes the libFuzzer binary fuzz_NAME; its corpus is tests/fuzz/corpus/NAME. Only with TABERNETES_FUZZ.
function(tab_fuzz name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;LIBRARIES" ${ARGN})
  if(NOT TABERNETES_FUZZ)
    return()
  endif()
  set(target fuzz_${name})
  list(TRANSFORM ARG_SOURCES PREPEND "fuzz/")
  list(TRANSFORM ARG_DEPS PREPEND "tab_")
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_DEPS} ${ARG_LIBRARIES})
  target_compile_options(${target} PRIVATE -fno-rtti)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  tab_warnings(${target})
  tab_unity(${target} 8)
endfunction()
