// Continue tokens from untrusted clients: any bytes as a token, and any bytes as the content of a
// token. No crash; rejections are 400s with the token's messages; an accepted token re-encodes to
// the same; a list of one namespace never contains an object of another.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/list/continue_token.h"
#include "tabernetes/api_server.h"

namespace {

using tabernetes::ApiServer;
using tabernetes::Request;
using tabernetes::Response;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string base64url(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 6) {
    const auto at = [&](std::size_t i) {
      return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
    };
    const unsigned pair = at(bit / 8) << 8 | at(bit / 8 + 1);
    text += kDigits[pair >> (10 - bit % 8) & 63];
  }
  return text;
}

std::string percent_encode(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

Response ask(ApiServer& server, std::string method, std::string target, std::string body = {}) {
  Request request{.method = std::move(method), .target = std::move(target)};
  request.body = std::move(body);
  Response answer;
  server.handle(std::move(request), [&](Response response) { answer = std::move(response); });
  return answer;
}

// Returns a server with two namespaces with an object each, and a third with names around them.
ApiServer* make_server() {
  auto* server = new ApiServer();
  for (const std::string ns : {"a", "b"}) {
    ask(*server, "POST", "/api/v1/namespaces",
        R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":")" + ns + "\"}}");
    for (const std::string name : {"x", "y", "z"}) {
      ask(*server, "POST", "/api/v1/namespaces/" + ns + "/configmaps",
          R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name +
              R"("},"data":{"home":"of-)" + ns + "\"}}");
    }
  }
  return server;
}

void try_codec(std::string_view text) {
  const auto token = tabernetes::server::decode_continue(text);
  if (!token) {
    constexpr std::string_view kPrefix = "invalid continue token: continue key is not valid: ";
    require(token.error().code == 400 && token.error().reason == "BadRequest");
    require(token.error().message.substr(0, kPrefix.size()) == kPrefix);
    return;
  }
  require(token->revision != 0);
  for (const std::string_view part : {"/../", "/./", "//"}) {
    require(("/" + token->start + "/x").find(part) == std::string::npos || token->start.empty());
  }
  const auto again =
      tabernetes::server::decode_continue(tabernetes::server::encode_continue(*token));
  require(again && again->revision == token->revision && again->start == token->start);
}

void try_list(std::string_view text) {
  static ApiServer* const server = make_server();
  const Response answer = ask(
      *server, "GET", "/api/v1/namespaces/a/configmaps?limit=2&continue=" + percent_encode(text));
  const int status = answer.status;
  require(status == 200 || status == 400 || status == 410 || status == 504);
  // A rejection may quote the token, so only 200 is checked.
  require(status != 200 || answer.body.flatten().find("of-b") == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string& text : {std::string(bytes), base64url(bytes)}) {
    try_codec(text);
    try_list(text);
  }
  return 0;
}
