#include "server/discovery/zpages.h"

#include <string>

#include "base/time/http_date.h"
#include "base/time/rfc3339.h"
#include "json/build.h"
#include "server/encode/answer.h"
#include "server/http/text_answer.h"
#include "server/http/version.h"

namespace tabernetes::server {
namespace {

using json::Value;

// The requested form of a page: text, or an object of a version.
struct PageForm {
  Representation object;
  std::string_view version;  // "v1beta1"; empty for text
};

std::optional<codec::Encoding> encoding_of(std::string_view subtype, bool cbor) {
  if (subtype == "json" || subtype == "*") return codec::Encoding::kJson;
  if (subtype == "yaml") return codec::Encoding::kYaml;
  if (subtype == "cbor" && cbor) return codec::Encoding::kCbor;
  return std::nullopt;
}

// Objects must be requested with their kind; anything else compatible with text gets text.
std::optional<PageForm> page_form_of(const RequestContext& call, std::string_view kind) {
  for (const codec::AcceptClause& clause :
       codec::parse_accept(find_header(call.request.headers, "accept"))) {
    const bool any = clause.type == "*";
    if (clause.parameter("as") == kind && clause.parameter("g") == "config.k8s.io" &&
        (any || clause.type == "application")) {
      const auto encoding = encoding_of(clause.subtype, call.negotiation().cbor);
      for (const std::string_view version : {"v1alpha1", "v1beta1"}) {
        if (encoding && clause.parameter("v") == version) {
          return PageForm{{.encoding = *encoding, .pretty = wants_pretty(call.request, call.query)},
                          version};
        }
      }
    } else if (clause.parameter("as").empty() && (any || clause.type == "text") &&
               (clause.subtype == "*" || clause.subtype == "plain")) {
      return PageForm{};
    }
  }
  return std::nullopt;
}

Failure refusal(const RequestContext& call) {
  std::string types =
      "only the following media types are accepted: application/json, "
      "application/yaml, text/plain";
  if (call.negotiation().cbor) types += ", application/cbor";
  return errors::not_acceptable(types);
}

constexpr std::string_view kPaths[] = {"/flagz",  "/healthz", "/livez",  "/metrics",
                                       "/readyz", "/statusz", "/version"};

// Formats like Go's UnixDate: "Sun Nov 22 08:36:04 UTC 2026".
std::string unix_date(Time time) {
  const std::string http = format_http_date(time, "UTC");
  std::string day = http.substr(5, 2);
  if (day[0] == '0') day[0] = ' ';
  return http.substr(0, 3) + http.substr(7, 4) + " " + day + http.substr(16, 9) + " UTC" +
         http.substr(11, 5);
}

std::string uptime(std::int64_t seconds) {
  const auto two_digits = [](std::int64_t number) {
    return std::to_string(100 + number % 60).substr(1);
  };
  return std::to_string(seconds / 3600) + " hr " + two_digits(seconds / 60) + " min " +
         two_digits(seconds) + " sec";
}

std::string text_head(const char* name) {
  return std::string("\napiserver ") + name +
         "\nWarning: This endpoint is not meant to be machine parseable, has no formatting "
         "compatibility guarantees and is for debugging purposes only.\n";
}

std::int64_t seconds_up(const RequestContext& call) {
  return (call.now - call.server.options.now).nanoseconds / 1'000'000'000;
}

std::string status_text(const RequestContext& call) {
  std::string text = text_head("statusz") + "\nStarted: " + unix_date(call.server.options.now);
  text.append("\nUp: ").append(uptime(seconds_up(call)));
  text.append("\nGo version: ").append(kVersion.go_version);
  text.append("\nBinary version: ").append(kVersion.git_version.substr(1));
  text.append("\nEmulation version: 1.36\nPaths:");
  for (const std::string_view path : kPaths) text.append(" ").append(path);
  return text + "\n";
}

void add_status(const RequestContext& call, Value& page, json::Arena& arena) {
  page.append(arena, "startTime",
              Value::string(arena.copy(format_rfc3339(call.server.options.now))));
  page.append(arena, "uptimeSeconds", Value::integer(seconds_up(call)));
  page.append(arena, "goVersion", Value::string(kVersion.go_version));
  page.append(arena, "binaryVersion", Value::string(kVersion.git_version.substr(1)));
  page.append(arena, "emulationVersion", Value::string("1.36"));
  page.append(arena, "paths", json::string_array(kPaths, arena));
}

// Returns the options of the cluster under kube-apiserver's names.
Value flags_of(const RequestContext& call, json::Arena& arena) {
  const Options& options = call.server.options;
  std::string gates;
  for (const auto& [name, on] : options.feature_gates) {
    gates.append(gates.empty() ? "" : ",").append(name).append(on ? "=true" : "=false");
  }
  std::string origins;
  for (const std::string& origin : options.cors_allowed_origins) {
    origins.append(origins.empty() ? "" : ",").append(origin);
  }
  Value flags = Value::object(arena);
  if (call.server.options.allow_privileged) {
    flags.append(arena, "allow-privileged", Value::string("true"));
  }
  flags.append(arena, "anonymous-auth", Value::string(options.anonymous_auth ? "true" : "false"));
  const std::string modes = "[" + authorization_modes_text(options.authorization) + "]";
  flags.append(arena, "authorization-mode", Value::string(arena.copy(modes)));
  flags.append(arena, "cors-allowed-origins", Value::string(arena.copy("[" + origins + "]")));
  if (options.bootstrap_token_auth) {
    flags.append(arena, "enable-bootstrap-token-auth", Value::string("true"));
  }
  flags.append(arena, "feature-gates", Value::string(arena.copy(gates)));
  flags.append(arena, "service-cluster-ip-range", Value::string("10.96.0.0/16"));
  flags.append(arena, "service-node-port-range", Value::string("30000-32767"));
  return flags;
}

std::string flags_text(const RequestContext& call, json::Arena& arena) {
  std::string text = text_head("flagz");
  for (const json::Member& flag : flags_of(call, arena).members()) {
    text.append(flag.key).append(" ").append(flag.value.as_string()).append("\n");
  }
  return text;
}

Response answer_object_page(RequestContext& call, const PageForm& form, std::string_view kind,
                            bool status) {
  json::Arena& arena = call.arena;
  Value page = Value::object(arena);
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", Value::string("apiserver"));
  page.append(arena, "kind", Value::string(kind));
  page.append(arena, "apiVersion",
              Value::string(arena.copy("config.k8s.io/" + std::string(form.version))));
  page.append(arena, "metadata", metadata);
  if (status) {
    add_status(call, page, arena);
  } else {
    page.append(arena, "flags", flags_of(call, arena));
  }
  if (form.version == "v1alpha1") {
    call.warnings.push_back("This version of the " + std::string(status ? "statusz" : "flagz") +
                            " endpoint is deprecated. Please use a newer version.");
  }
  Response response = answer_tree(form.object, 200, page);
  for (auto& [name, value] : response.headers) {
    if (name == "Content-Type") {
      value.append(";g=config.k8s.io;v=").append(form.version).append(";as=").append(kind);
    }
  }
  add_warnings(call.warnings, response);
  return response;
}

}  // namespace

Response answer_zpage(RequestContext& call, std::string_view path) {
  const bool status = path == "/statusz";
  const std::string_view kind = status ? "Statusz" : "Flagz";
  const auto form = page_form_of(call, kind);
  if (!form) {
    return answer_error(call.request, call.query, refusal(call), call.negotiation());
  }
  if (!form->version.empty()) return answer_object_page(call, *form, kind, status);
  Response response = answer_text(200, status ? status_text(call) : flags_text(call, call.arena));
  response.headers.pop_back();  // browsers may sniff the type
  return response;
}

std::optional<TextResponse> answer_profile(std::string_view path) {
  if (!path.starts_with("/debug/pprof/")) return std::nullopt;
  return TextResponse{404, kTextPlain, "Unknown profile\n", true};
}

}  // namespace tabernetes::server
