// A continue token comes back from a client, who may have made it. Whatever is read stays below the
// prefix of its list and can be written again; whatever is not says so in a 400.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "server/continue_token.h"

namespace {

using namespace tabernetes::server;

void require(bool holds) {
  if (!holds) std::abort();
}

// No part of the path is empty or leads upwards.
bool stays_below(const std::string& start) {
  const std::string path = "/" + start + "/";
  return start.empty() ||
         (path.find("//") == std::string::npos && path.find("/./") == std::string::npos &&
          path.find("/../") == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto token = decode_continue({reinterpret_cast<const char*>(data), size});
  if (!token) {
    require(token.error().code == 400);
    require(token.error().message.starts_with("invalid continue token: continue key is not valid"));
    return 0;
  }
  require(token->revision != 0 && stays_below(token->start));
  const auto again = decode_continue(encode_continue(*token));
  require(again && again->revision == token->revision && again->start == token->start);
  return 0;
}
