#include "schema/openapi/resource_paths.h"

#include <algorithm>
#include <utility>

namespace tabernetes::schema::openapi {
namespace {

constexpr std::string_view kDeleteOptions = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
constexpr std::string_view kStatus = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
constexpr std::string_view kPatch = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
constexpr std::string_view kWatchEvent = "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent";
constexpr std::string_view kPodLogOptions = "io.k8s.api.core.v1.PodLogOptions";

// Resources whose DELETE returns the object instead of a Status. Spec/rest.md 4.9.
bool returns_deleted_object(const Resource& resource) {
  constexpr std::string_view kNames[] = {
      "csidrivers", "csinodes",       "persistentvolumeclaims", "persistentvolumes",
      "pods",       "podtemplates",   "resourcequotas",         "serviceaccounts",
      "services",   "storageclasses", "volumeattachments",      "volumeattributesclasses",
  };
  return resource.group == "resource.k8s.io" ||
         std::find(std::begin(kNames), std::end(kNames), resource.plural) != std::end(kNames);
}

// Builds the operations of one resource.
class Builder {
 public:
  Builder(const Catalogue& catalogue, const Resource& resource, Paths& paths)
      : catalogue_(catalogue),
        resource_(resource),
        paths_(paths),
        root_(group_version_path(resource.group, resource.version)),
        group_word_(operation_word(short_group(resource.group), true) +
                    operation_word(resource.version, true)) {}

  void add() {
    add_collection();
    add_item();
    add_watches();
    for (const Subresource& subresource : resource_.subresources) add_subresource(subresource);
  }

 private:
  enum class Scope { kOwn, kAllNamespaces };

  bool namespaced() const { return resource_.namespaced; }
  bool custom() const { return resource_.type != nullptr && resource_.type->open; }
  bool can(std::string_view verb) const { return resource_.has_verb(verb); }

  // Returns ROOT[/watch][/namespaces/{namespace}]/PLURAL.
  std::string collection_path(std::string_view infix, Scope scope) const {
    std::string path = root_ + std::string(infix);
    if (namespaced() && scope == Scope::kOwn) path += "/namespaces/{namespace}";
    return path + "/" + std::string(resource_.plural);
  }
  std::string item_path() const { return collection_path("", Scope::kOwn) + "/{name}"; }

  // Returns an operation id such as createCoreV1NamespacedPod: the group version follows the verb.
  std::string id(std::string_view verb, std::string_view rest) const {
    return std::string(verb) + group_word_ + std::string(rest);
  }
  std::string kind_word(std::string_view suffix = "") const {
    std::string word = namespaced() ? "Namespaced" : "";
    return word.append(resource_.kind).append(suffix);
  }

  std::string_view type_name() const { return resource_.type ? resource_.type->name : kStatus; }
  std::string_view list_type_name() const {
    return resource_.list_type != nullptr ? resource_.list_type->name : type_name();
  }

  // Returns "read the specified Pod" or, with `part`, "read log of the specified Pod".
  std::string of_specified(std::string_view verb, std::string_view part = {}) const {
    std::string text(verb);
    if (!part.empty()) text.append(" ").append(part).append(" of");
    return text.append(" the specified ").append(resource_.kind);
  }
  std::string of_kind(std::string_view words) const {
    return std::string(words) + std::string(resource_.kind);
  }
  std::string of_a_kind(std::string_view words) const {
    return std::string(words) + with_article(resource_.kind);
  }

  Operation start(Method method, std::string operation_id, std::string description,
                  std::string_view action) const {
    Operation operation;
    operation.method = method;
    operation.id = std::move(operation_id);
    operation.description = std::move(description);
    operation.action = action;
    operation.kind = {resource_.group, resource_.version, resource_.kind};
    operation.answer_schema = type_name();
    return operation;
  }

  // Adds `operation` with its query parameters and the path's parameters.
  void put(const std::string& path, Operation operation, Parameters parameters) {
    operation.parameters = std::move(parameters);
    for (const std::string_view name : {"namespace", "name", "path"}) {
      if (path.find("{" + std::string(name) + "}") != std::string::npos) {
        operation.parameters.push_back(path_parameter(name, operation.kind.kind));
      }
    }
    paths_[path].push_back(std::move(operation));
  }
  void put_pretty(const std::string& path, Operation operation, Parameters parameters) {
    parameters.push_back(pretty_parameter());
    put(path, std::move(operation), std::move(parameters));
  }

  void add_collection() {
    const std::string path = collection_path("", Scope::kOwn);
    if (can("list")) {
      const bool watched = can("watch") && !custom();
      Operation list = start(
          Method::kGet, id("list", kind_word()),
          of_kind(watched ? "list or watch objects of kind " : "list objects of kind "), "list");
      list.answer = Media::kStream;
      list.answer_schema = list_type_name();
      put_pretty(path, list, list_parameters());
      if (namespaced()) {
        list.id = id("list", std::string(resource_.kind) + "ForAllNamespaces");
        put_pretty(collection_path("", Scope::kAllNamespaces), list, list_parameters());
      }
    }
    if (can("create")) {
      Operation create =
          start(Method::kPost, id("create", kind_word()), of_a_kind("create "), "post");
      create.body = Media::kAnything;
      create.body_schema = type_name();
      create.body_required = true;
      create.codes = {"200", "201", "202"};
      put_pretty(path, create, write_parameters());
    }
    if (can("deletecollection")) {
      Operation remove = start(Method::kDelete, id("delete", "Collection" + kind_word()),
                               of_kind("delete collection of "), "deletecollection");
      remove.body = Media::kAnything;
      remove.body_schema = kDeleteOptions;
      remove.answer_schema = kStatus;
      put_pretty(path, remove, delete_collection_parameters());
    }
  }

  void add_item() {
    const std::string path = item_path();
    if (can("get")) {
      put_pretty(path, start(Method::kGet, id("read", kind_word()), of_specified("read"), "get"),
                 {});
    }
    if (can("update")) {
      put_pretty(path,
                 with_body(start(Method::kPut, id("replace", kind_word()), of_specified("replace"),
                                 "put")),
                 write_parameters());
    }
    if (can("patch")) {
      put_pretty(path,
                 with_patch(start(Method::kPatch, id("patch", kind_word()),
                                  of_specified("partially update"), "patch")),
                 patch_parameters());
    }
    if (can("delete")) {
      Operation remove =
          start(Method::kDelete, id("delete", kind_word()), of_a_kind("delete "), "delete");
      remove.body = Media::kAnything;
      remove.body_schema = kDeleteOptions;
      if (!returns_deleted_object(resource_)) remove.answer_schema = kStatus;
      remove.codes = {"200", "202"};
      put_pretty(path, remove, delete_parameters());
    }
  }

  void add_watches() {
    if (!can("watch")) return;
    constexpr std::string_view kInstead =
        ". deprecated: use the 'watch' parameter with a list operation instead";
    Operation watch =
        start(Method::kGet, id("watch", kind_word("List")),
              of_kind("watch individual changes to a list of ").append(kInstead).append("."),
              "watchlist");
    watch.answer = Media::kStream;
    watch.answer_schema = kWatchEvent;
    const std::string path = collection_path("/watch", Scope::kOwn);
    put_pretty(path, watch, list_parameters());
    if (namespaced()) {
      watch.id = id("watch", std::string(resource_.kind) + "ListForAllNamespaces");
      put_pretty(collection_path("/watch", Scope::kAllNamespaces), watch, list_parameters());
    }
    watch.id = id("watch", kind_word());
    watch.description =
        of_kind("watch changes to an object of kind ")
            .append(kInstead)
            .append(", filtered to a single item with the 'fieldSelector' parameter.");
    watch.action = "watch";
    put_pretty(path + "/{name}", watch, list_parameters());
  }

  static Operation with_body(Operation operation) {
    operation.body = Media::kAnything;
    operation.body_schema = operation.answer_schema;
    operation.body_required = true;
    operation.codes = {"200", "201"};
    return operation;
  }
  static Operation with_patch(Operation operation) {
    operation.body = Media::kPatch;
    operation.body_schema = kPatch;
    operation.body_required = true;
    operation.codes = {"200", "201"};
    return operation;
  }

  void add_subresource(const Subresource& subresource) {
    const std::string path = item_path() + "/" + std::string(subresource.name);
    if (subresource.kind.ends_with("Options")) return add_connect(subresource, path);
    const std::string word = kind_word(operation_word(subresource.name, true));
    const std::string_view part = subresource.name;
    if (part == "log") return add_log(path, word);
    const Type* type =
        resource_.type != nullptr && resource_.type->open
            ? subresource.type
            : catalogue_.find_kind(subresource.group, subresource.version, subresource.kind);
    for (const std::string_view verb : subresource.verbs) {
      Operation operation;
      Parameters parameters = write_parameters();
      if (verb == "get") {
        operation = start(Method::kGet, id("read", word), of_specified("read", part), "get");
        parameters.clear();
      } else if (verb == "update") {
        operation = start(Method::kPut, id("replace", word), of_specified("replace", part), "put");
      } else if (verb == "patch") {
        operation = start(Method::kPatch, id("patch", word), of_specified("partially update", part),
                          "patch");
        parameters = patch_parameters();
      } else {
        const std::string words = "create " + std::string(part) + " of ";
        operation = start(Method::kPost, id("create", word), of_a_kind(words), "post");
      }
      operation.kind = {subresource.group, subresource.version, subresource.kind};
      operation.answer_schema = type != nullptr ? type->name : kStatus;
      if (verb == "patch") operation = with_patch(std::move(operation));
      if (verb == "update" || verb == "create") operation = with_body(std::move(operation));
      if (verb == "create") operation.codes = {"200", "201", "202"};
      put_pretty(path, std::move(operation), std::move(parameters));
    }
  }

  void add_log(const std::string& path, const std::string& word) {
    Operation read = start(Method::kGet, id("read", word), of_specified("read", "log"), "get");
    read.answer = Media::kLog;
    read.answer_schema = {};
    const Type* options = catalogue_.find_type(kPodLogOptions);
    put_pretty(path, read, options != nullptr ? option_parameters(*options) : Parameters());
  }

  // Adds connect operations: exec and the like accept GET and POST; a proxy accepts every method,
  // with or without a path.
  void add_connect(const Subresource& subresource, const std::string& path) {
    struct Row {
      Method method;
      std::string_view in_id, in_text;
    };
    constexpr Row kMethods[] = {
        {Method::kGet, "Get", "GET"},       {Method::kPost, "Post", "POST"},
        {Method::kPut, "Put", "PUT"},       {Method::kDelete, "Delete", "DELETE"},
        {Method::kHead, "Head", "HEAD"},    {Method::kOptions, "Options", "OPTIONS"},
        {Method::kPatch, "Patch", "PATCH"},
    };
    const bool proxy = subresource.name == "proxy";
    const Type* type =
        catalogue_.find_kind(subresource.group, subresource.version, subresource.kind);
    const Parameters parameters = type != nullptr ? option_parameters(*type) : Parameters();
    const std::string word = kind_word(operation_word(subresource.name, true));
    for (const auto& [method, in_id, in_text] : kMethods) {
      if (!proxy && method != Method::kGet && method != Method::kPost) continue;
      std::string words = "connect ";
      words.append(in_text).append(" requests to ").append(subresource.name).append(" of ");
      Operation connect =
          start(method, id("connect", std::string(in_id) + word), of_kind(words), "connect");
      connect.kind = {subresource.group, subresource.version, subresource.kind};
      connect.answer = Media::kAnything;
      connect.answer_schema = {};
      put(path, connect, parameters);
      if (!proxy) continue;
      connect.id += "WithPath";
      put(path + "/{path}", connect, parameters);
    }
  }

  const Catalogue& catalogue_;
  const Resource& resource_;
  Paths& paths_;
  std::string root_;
  std::string group_word_;
};

}  // namespace

std::string group_version_path(std::string_view group, std::string_view version) {
  if (group.empty()) return "/api/" + std::string(version);
  return "/apis/" + std::string(group) + "/" + std::string(version);
}

std::string_view short_group(std::string_view group) {
  constexpr std::string_view kSuffix = ".k8s.io";
  if (group.empty()) return "core";
  if (group.ends_with(kSuffix)) group.remove_suffix(kSuffix.size());
  return group;
}

void add_resource_paths(const Catalogue& catalogue, const Resource& resource, Paths& paths) {
  Builder(catalogue, resource, paths).add();
}

}  // namespace tabernetes::schema::openapi
