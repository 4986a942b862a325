#include "server/channels/upgrade.h"

#include <algorithm>

#include "server/http/websocket.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kSpdy = "SPDY/3.1";
constexpr std::string_view kVersions = "x-stream-protocol-version";

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::vector<std::string> offered_versions(const Request& request, bool& given) {
  std::vector<std::string> offered;
  for (const auto& [name, value] : request.headers) {
    if (name != kVersions) continue;
    given = true;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string_view part = rest.substr(0, comma);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      while (part.starts_with(' ')) part.remove_prefix(1);
      while (part.ends_with(' ')) part.remove_suffix(1);
      if (!part.empty()) offered.emplace_back(part);
    }
  }
  return offered;
}

template <typename Texts>
std::string in_brackets(const Texts& texts) {
  std::string all = "[";
  for (const auto& text : texts) all.append(all.size() == 1 ? "" : " ").append(text);
  return all + "]";
}

Response refuse_upgrade(int status, const std::string& why) {
  Response response;
  response.status = status;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = Rope("unable to upgrade: " + why + "\n");
  return response;
}

}  // namespace

bool is_spdy_request(const Request& request) {
  return in_lower_case(find_header(request.headers, "connection")).find("upgrade") !=
             std::string::npos &&
         in_lower_case(find_header(request.headers, "upgrade")).find("spdy/3.1") !=
             std::string::npos;
}

ChosenProtocol choose_spdy_protocol(const Request& request,
                                    const std::vector<std::string_view>& known) {
  bool given = false;
  const std::vector<std::string> offered = offered_versions(request, given);
  if (!given) {
    return {{},
            refuse_upgrade(400, "header X-Stream-Protocol-Version does not exist in request with " +
                                    std::to_string(request.headers.size()) + " headers")};
  }
  for (const std::string& name : offered) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return {name, std::nullopt};
  }
  Response refusal =
      refuse_upgrade(403, "unable to negotiate protocol: client supports " + in_brackets(offered) +
                              ", server accepts " + in_brackets(known));
  for (const std::string_view name : known) {
    refusal.headers.emplace_back("X-Accepted-Stream-Protocol-Versions", std::string(name));
  }
  return {{}, std::move(refusal)};
}

Response answer_spdy(const std::string& protocol, std::unique_ptr<Stream> stream) {
  Response response;
  response.status = 101;
  response.headers = {{"Connection", "Upgrade"},
                      {"Upgrade", std::string(kSpdy)},
                      {"X-Stream-Protocol-Version", protocol}};
  response.message_type = MessageType::kNone;
  response.stream = std::move(stream);
  return response;
}

std::optional<std::string> choose_subprotocol(const Request& request,
                                              bool (*known)(std::string_view name)) {
  const std::vector<std::string_view> offered = offered_protocols(request);
  if (offered.empty() && known("")) return std::string();
  for (const std::string_view name : offered) {
    if (known(name)) return std::string(name);
  }
  return std::nullopt;
}

Response answer_socket(const std::string& protocol, MessageType type,
                       std::unique_ptr<Stream> stream) {
  Response response;
  response.status = 101;
  if (!protocol.empty()) response.headers = {{"Sec-WebSocket-Protocol", protocol}};
  response.message_type = type;
  response.stream = std::move(stream);
  return response;
}

}  // namespace tabernetes::server
