#include "server/pending/service_route.h"

#include "base/go/text.h"
#include "json/access.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr registry::ObjectReader::Resource kServices{"", "v1", "services"};

bool has_port(const Value& spec, int port) {
  for (const Value& item : items_at(spec, {"ports"})) {
    if (number_at(item, {"port"}) == port) return true;
  }
  return false;
}

// Joins a host and a port like Go.
std::string joined(std::string_view host, int port) {
  const std::string text(host);
  return (text.find(':') == std::string::npos ? text : "[" + text + "]") + ":" +
         std::to_string(port);
}

}  // namespace

Expected<std::string> route_to_service(const registry::ObjectReader& objects, std::string_view ns,
                                       std::string_view name, int port) {
  json::Arena arena;
  const Value service = objects.find_object(kServices, ns, name, arena);
  const Value* spec = service.is_object() ? service.find("spec") : nullptr;
  if (spec == nullptr) return Fault{"service " + go_quote(name) + " not found"};
  if (spec->string_at("type") == "ExternalName") {
    return joined(spec->string_at("externalName"), port);
  }
  const std::string_view address = spec->string_at("clusterIP");
  if (address == "None") return Fault{"cannot route to service with ClusterIP \"None\""};
  if (!has_port(*spec, port)) {
    return Fault{"no service port " + std::to_string(port) + " found for service " +
                 go_quote(name)};
  }
  return Fault{"dial tcp " + joined(address, port) + ": connect: connection refused"};
}

}  // namespace tabernetes::server
