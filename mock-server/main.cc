#include <cstdio>

#include "data_commands.h"
#include "flags.h"
#include "serve.h"

int main(int argc, char** argv) {
  const auto line = tabernetes::host::parse_command_line(argc, argv);
  std::fputs(line.out.c_str(), stdout);
  std::fputs(line.err.c_str(), stderr);
  if (line.serve) return tabernetes::host::serve(*line.serve);
  if (line.data) return tabernetes::host::run_data_command(*line.data);
  return line.exit_code;
}
