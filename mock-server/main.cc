#include <cstdio>

#include "flags.h"
#include "serve.h"

int main(int argc, char** argv) {
  const auto line = tabernetes::host::parse_command_line(argc, argv);
  std::fputs(line.out.c_str(), stdout);
  std::fputs(line.err.c_str(), stderr);
  return line.serve ? tabernetes::host::serve(*line.serve) : line.exit_code;
}
