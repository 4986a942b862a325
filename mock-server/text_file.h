// Reads whole files as text.
#pragma once

#include <string>

namespace tabernetes::host {

struct TextFile {
  std::string text;
  std::string problem;  // "PATH: No such file or directory"; empty for success
};

TextFile read_text_file(const std::string& path);

}  // namespace tabernetes::host
