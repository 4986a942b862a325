#include "server/request/request_context.h"

#include <algorithm>

#include "base/go/text.h"
#include "base/text/utf8.h"
#include "server/request/shown_options.h"
#include "tabernetes/http.h"

namespace tabernetes::server {
namespace {

constexpr std::size_t kMostManagerBytes = 128;

// Returns the name of a user agent: "kubectl" for "kubectl/v1.36.0 (linux/amd64)".
std::string name_of_agent(std::string_view agent) {
  agent = agent.substr(0, agent.find('/'));
  std::string name;
  while (!agent.empty()) {
    const Rune rune = decode_rune(agent);
    const std::string_view text =
        rune.valid ? agent.substr(0, rune.size) : std::string_view("\xef\xbf\xbd");
    agent.remove_prefix(rune.size);
    if (!go_is_printable(rune.value)) continue;
    if (name.size() + text.size() > kMostManagerBytes) break;
    name += text;
  }
  return name;
}

}  // namespace

bool is_scale(const RequestContext& call) {
  return call.subresource != nullptr && call.subresource->kind == "Scale";
}

NegotiationOptions RequestContext::negotiation() const {
  NegotiationOptions options = server.negotiation;
  if (type != nullptr && !is_scale(*this)) {
    options.protobuf = type->form.protobuf;
    options.strategic = type->form.strategic_merge;
  }
  return options;
}

registry::WriteContext RequestContext::write_context(bool dry_run, std::string_view field_manager) {
  return {.arena = arena,
          .now = now,
          .dry_run = dry_run,
          .warnings = &warnings,
          .notes = audited.notes,
          .manager = field_manager.empty()
                         ? name_of_agent(find_header(request.headers, "user-agent"))
                         : std::string(field_manager),
          .subresource = subresource == nullptr ? std::string_view() : subresource->name,
          .user = &user,
          .pending = pending,
          .options = shown_options(request, query, arena),
          .patience = std::min(deadline.value_or(registry::WriteContext::kPatience),
                               registry::WriteContext::kPatience)};
}

}  // namespace tabernetes::server
