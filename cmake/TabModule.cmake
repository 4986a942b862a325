# tab_module(NAME
#   SOURCES a.cc b.cc        files of core/NAME, listed by name; none yet, or headers only: an interface library
#   DEPS base server/decode  the folders of the core that NAME may include, or single rooms of them
#   ROOMS "x: y z" "y:" "z:" the folders in core/NAME, each with the others that it may include; none: NAME is one room
#   LIBRARIES third_party::x third-party targets
#   EXCEPTIONS_FOR b.cc)     adapter files around a library that throws: they get exceptions and RTTI
#
# tools/check_layers.mjs holds includes and definitions to DEPS and ROOMS.
# makes the static library tab_NAME. Includes are written from core/: "json/value.h", "tabernetes/http.h".
function(tab_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;ROOMS;LIBRARIES;EXCEPTIONS_FOR" ${ARGN})
  set(target tab_${name})
  list(TRANSFORM ARG_SOURCES PREPEND "${name}/")
  list(TRANSFORM ARG_DEPS REPLACE "/.*" "")
  list(TRANSFORM ARG_DEPS PREPEND "tab_")
  list(REMOVE_DUPLICATES ARG_DEPS)
  # An installed core shows its public headers only, and those come with tabernetes::core.
  set(includes $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/core> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/core/include>)
  set_property(GLOBAL APPEND PROPERTY TAB_INSTALLED ${target})

  if(NOT ARG_SOURCES)
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${includes})
    target_link_libraries(${target} INTERFACE ${ARG_DEPS} ${ARG_LIBRARIES})
    return()
  endif()

  add_library(${target} STATIC ${ARG_SOURCES})
  target_include_directories(${target} PUBLIC ${includes})
  target_link_libraries(${target} PUBLIC ${ARG_DEPS} ${ARG_LIBRARIES})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti>)
  tab_warnings(${target})
  tab_unity(${target} 16)

  if(EMSCRIPTEN)
    set(with_exceptions -fwasm-exceptions -frtti)
  else()
    set(with_exceptions -fexceptions -frtti)
  endif()
  foreach(file IN LISTS ARG_EXCEPTIONS_FOR)
    set_source_files_properties("${name}/${file}" PROPERTIES
      COMPILE_OPTIONS "${with_exceptions}" SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()

# tab_rules(TARGET PATH...): compiles the rules (core/rules/rules.h) in C++ files, or in the files of folders, into
# one more source of the target. An error in a text ends the build with its file and line.
function(tab_rules target)
  find_program(NODE node REQUIRED)
  set(sources "")
  foreach(path IN LISTS ARGN)
    if(IS_DIRECTORY "${path}")
      file(GLOB_RECURSE found CONFIGURE_DEPENDS "${path}/*.cc" "${path}/*.h")
      list(APPEND sources ${found})
    else()
      list(APPEND sources "${path}")
    endif()
  endforeach()
  set(rules "${PROJECT_SOURCE_DIR}/core/rules")
  set(tools "${PROJECT_SOURCE_DIR}/tools/rules")
  file(GLOB_RECURSE catalogue CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/core/schema/catalogue/*.txt")
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_rules.cc")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${NODE}" "${tools}/compile.mjs" "${output}" "${rules}" ${ARGN}
    DEPENDS "${tools}/compile.mjs" "${tools}/encode.mjs" "${tools}/language.mjs" "${tools}/sources.mjs"
            "${PROJECT_SOURCE_DIR}/tools/catalogue/read.mjs" "${rules}/program.h" "${rules}/formats.cc" ${catalogue} ${sources}
    COMMENT "Compiling the rules of ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
  # The names in its anonymous namespace are the same in every such file.
  set_source_files_properties("${output}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
