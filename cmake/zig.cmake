# Cross compiling to a static binary on musl with the compiler of tools/release/zig.mjs, which sets:
#   TAB_ZIG_BIN   the folder with cc, c++, ar and ranlib for the target
#   TAB_STATIC    where tools/release/static_libraries.mjs has put include/ and lib/ for the target
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TAB_ZIG_BIN TAB_STATIC TAB_PROCESSOR)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR "${TAB_PROCESSOR}")
set(CMAKE_C_COMPILER "${TAB_ZIG_BIN}/cc")
set(CMAKE_CXX_COMPILER "${TAB_ZIG_BIN}/c++")
set(CMAKE_AR "${TAB_ZIG_BIN}/ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${TAB_ZIG_BIN}/ranlib" CACHE FILEPATH "")
set(CMAKE_FIND_ROOT_PATH "${TAB_STATIC}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# Linking would have the compiler build its C and C++ libraries twice: once for CMake's tries, which optimize nothing.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(OPENSSL_USE_STATIC_LIBS ON)
set(CCACHE "" CACHE STRING "the compiler has a cache of its own")
