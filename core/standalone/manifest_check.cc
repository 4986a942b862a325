// Tested by tests/core/standalone/manifest_check_test.cc.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/algorithm/sort.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "kinds/table/load_order.h"
#include "standalone/manifest_pieces.h"
#include "tabernetes/api_server.h"

namespace tabernetes {
namespace {

using json::Value;
using registry::kinds::LoadPhase;

// Where objects of a kind are sent.
struct Resource {
  std::string plural;
  bool namespaced = false;
};

class Checker {
 public:
  Checker(const std::vector<ManifestFile>& files, Time now)
      : files_(files), server_(options(now)) {}

  ManifestCheck run() {
    for (const ManifestFile& file : files_) {
      for (ManifestPiece& piece : manifest_pieces(file, arena_, check_.faults)) {
        pieces_.push_back(std::move(piece));
      }
    }
    check_.objects = pieces_.size();
    make_namespaces();
    for (const LoadPhase phase :
         {LoadPhase::kNamespaces, LoadPhase::kDefinitions, LoadPhase::kObjects}) {
      for (const ManifestPiece& piece : pieces_) {
        if (registry::kinds::load_phase(piece.object.string_at("kind")) == phase) try_piece(piece);
      }
      // New kinds become served.
      server_.advance(server_.time() + Duration::from_seconds(2));
      resources_.clear();
    }
    sort_faults();
    return std::move(check_);
  }

 private:
  static Options options(Time now) {
    Options options;
    options.now = now;
    options.nodes = 0;
    options.scheduler = false;
    options.controllers = {};
    options.allow_privileged = true;
    options.priority_and_fairness = false;
    // The accounts of pods are made by a control loop.
    options.disable_admission_plugins = {"ServiceAccount"};
    return options;
  }

  Response ask(std::string_view method, const std::string& target, std::string_view type = {},
               std::string body = {}) {
    Request request;
    request.method = method;
    request.target = target;
    request.body = std::move(body);
    if (!type.empty()) request.headers = {{"content-type", std::string(type)}};
    Response answer;
    answer.status = 0;
    server_.handle(std::move(request), [&](Response response) { answer = std::move(response); });
    return answer;
  }

  // Makes the namespaces that objects are in and no file has.
  void make_namespaces() {
    std::set<std::string> names;
    for (const ManifestPiece& piece : pieces_) {
      if (const Value* metadata = piece.object.find("metadata")) {
        names.insert(std::string(metadata->string_at("namespace")));
      }
    }
    for (const ManifestPiece& piece : pieces_) {
      if (piece.object.string_at("kind") == "Namespace") names.erase(name_of(piece));
    }
    for (const std::string& name : names) {
      json::Arena arena;
      Value metadata = Value::object(arena), made = Value::object(arena);
      metadata.append(arena, "name", Value::string(name));
      made.append(arena, "metadata", metadata);
      ask("POST", "/api/v1/namespaces", "application/json", codec::json_text(made));
    }
  }

  static std::string name_of(const ManifestPiece& piece) {
    const Value* metadata = piece.object.find("metadata");
    if (metadata == nullptr) return {};
    const std::string_view name = metadata->string_at("name");
    return std::string(name.empty() ? metadata->string_at("generateName") : name);
  }

  void add(const ManifestPiece& piece, std::size_t line, std::string message,
           bool warning = false) {
    check_.faults.push_back({.file = piece.file->name,
                             .line = line,
                             .kind = std::string(piece.object.string_at("kind")),
                             .name = name_of(piece),
                             .message = std::move(message),
                             .warning = warning});
  }

  // Returns the path of the kinds of a group and version.
  static std::string base_of(std::string_view api_version) {
    const bool core = api_version.find('/') == std::string_view::npos;
    return (core ? "/api/" : "/apis/") + std::string(api_version);
  }

  const std::map<std::string, Resource>& resources_of(std::string_view api_version) {
    const auto [known, added] = resources_.try_emplace(std::string(api_version));
    if (!added) return known->second;
    const Response answer = ask("GET", base_of(api_version));
    if (answer.status != 200) return known->second;
    json::Arena arena;
    const std::string text = answer.body.flatten();
    const codec::JsonRead read = codec::read_json(text, arena);
    const Value* list = read.value.find("resources");
    if (list == nullptr) return known->second;
    for (const Value& one : list->items()) {
      const std::string_view plural = one.string_at("name");
      if (plural.find('/') != std::string_view::npos) continue;
      const Value* namespaced = one.find("namespaced");
      known->second[std::string(one.string_at("kind"))] = {
          std::string(plural), namespaced != nullptr && namespaced->as_bool()};
    }
    return known->second;
  }

  void try_piece(const ManifestPiece& piece) {
    const std::size_t line = piece.line_of("");
    if (!piece.object.is_object()) return add(piece, line, "is not an object");
    const std::string_view api_version = piece.object.string_at("apiVersion");
    const std::string_view kind = piece.object.string_at("kind");
    if (api_version.empty()) return add(piece, line, "apiVersion not set");
    if (kind.empty()) return add(piece, line, "kind not set");
    const auto& resources = resources_of(api_version);
    const auto found = resources.find(std::string(kind));
    if (found == resources.end()) {
      return add(piece, line,
                 "no matches for kind \"" + std::string(kind) + "\" in version \"" +
                     std::string(api_version) +
                     "\"; the definition of a custom resource must be in one of the files");
    }
    send(piece, target_of(piece, found->second));
  }

  // Returns the path of all objects like this one.
  static std::string target_of(const ManifestPiece& piece, const Resource& resource) {
    std::string target = base_of(piece.object.string_at("apiVersion"));
    if (resource.namespaced) {
      const Value* metadata = piece.object.find("metadata");
      const std::string_view ns = metadata ? metadata->string_at("namespace") : std::string_view();
      target += "/namespaces/" + std::string(ns.empty() ? "default" : ns);
    }
    return target + "/" + resource.plural;
  }

  void send(const ManifestPiece& piece, const std::string& target) {
    // A webhook that is in force would be called.
    const bool hooks = piece.object.string_at("kind").ends_with("WebhookConfiguration");
    const std::string options =
        std::string("?fieldManager=tabernetes-check&fieldValidation=Strict") +
        (hooks ? "&dryRun=All" : "");
    Response answer = ask("POST", target + options, "application/yaml", piece.body());
    if (answer.status == 409) {
      answer = ask("PATCH", target + "/" + name_of(piece) + options + "&force=true",
                   "application/apply-patch+yaml", piece.body());
    }
    if (answer.status == 0) {
      return add(piece, piece.line_of(""), "needs a webhook, which is not called");
    }
    for (const auto& [name, value] : answer.headers) {
      if (name == "Warning") add(piece, piece.line_of(""), warning_text(value), true);
    }
    if (answer.status >= 400) explain(piece, answer.body.flatten());
  }

  // Returns the text of the header `299 - "text"`.
  static std::string warning_text(std::string_view header) {
    std::string text;
    const std::size_t begin = std::min(header.find('"'), header.size());
    for (std::size_t i = begin + 1; i + 1 < header.size(); ++i) {
      if (header[i] == '\\') ++i;
      text += header[i];
    }
    return text;
  }

  // Adds a fault for each thing that a Status says is wrong.
  void explain(const ManifestPiece& piece, const std::string& text) {
    json::Arena arena;
    const codec::JsonRead read = codec::read_json(text, arena);
    const Value* details = read.value.find("details");
    const Value* causes = details == nullptr ? nullptr : details->find("causes");
    if (read.value.string_at("reason") == "Invalid" && causes != nullptr && causes->size() > 0) {
      for (const Value& cause : causes->items()) {
        const std::string field(cause.string_at("field"));
        add(piece, piece.line_of(field), field + ": " + std::string(cause.string_at("message")));
      }
      return;
    }
    const std::string_view message = read.value.string_at("message");
    constexpr std::string_view kStrict = "strict decoding error: ";
    if (const std::size_t at = message.find(kStrict); at != std::string_view::npos) {
      return explain_strict(piece, message.substr(at + kStrict.size()));
    }
    add(piece, piece.line_of(""), std::string(message));
  }

  // Adds a fault for each part of `unknown field "a.b", duplicate field "c"`, and of what YAML
  // finds: "yaml: unmarshal errors:\n  line 3: …".
  void explain_strict(const ManifestPiece& piece, std::string_view text) {
    while (!text.empty()) {
      std::size_t end = text.size();
      for (const std::string_view next : {", unknown field \"", ", duplicate field \"", "\n  "}) {
        end = std::min(end, text.find(next));
      }
      std::string_view part = text.substr(0, end);
      text.remove_prefix(std::min(text.size(), end + 2));
      while (text.starts_with(' ')) text.remove_prefix(1);
      if (part.starts_with("yaml: unmarshal errors:")) continue;
      if (const std::size_t line = take_line(part)) {
        add(piece, piece.line_in_file(line), std::string(part));
        continue;
      }
      const std::size_t open = std::min(part.find('"') + 1, part.size());
      const std::string_view field = part.substr(open, part.rfind('"') - open);
      add(piece, piece.line_of(field), std::string(part));
    }
  }

  void sort_faults() {
    const auto place_of = [&](const ManifestFault& fault) {
      std::size_t file = 0;
      while (files_[file].name != fault.file) ++file;
      return std::pair(file, fault.line);
    };
    sort_stable(check_.faults, [&](const ManifestFault& a, const ManifestFault& b) {
      return place_of(a) < place_of(b);
    });
  }

  const std::vector<ManifestFile>& files_;
  ApiServer server_;
  json::Arena arena_;
  std::vector<ManifestPiece> pieces_;
  std::map<std::string, std::map<std::string, Resource>> resources_;  // by version, by kind
  ManifestCheck check_;
};

}  // namespace

std::string line_of(const ManifestFault& fault) {
  std::string line = fault.file + ":" + std::to_string(fault.line) + ": ";
  if (!fault.kind.empty()) line += fault.kind + (fault.name.empty() ? "" : " " + fault.name) + ": ";
  return line + (fault.warning ? "warning: " : "") + fault.message;
}

ManifestCheck check_manifests(const std::vector<ManifestFile>& files, Time now) {
  return Checker(files, now).run();
}

}  // namespace tabernetes
