#include "custom/objects/custom_kind.h"

#include <atomic>
#include <utility>

#include "base/crypto/hash.h"
#include "base/text/base64.h"
#include "custom/objects/ca_bundle.h"
#include "custom/objects/strategy.h"
#include "custom/schema/cel_rules.h"
#include "json/access.h"
#include "registry/meta/conditions.h"
#include "registry/meta/version_order.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;

// Sets the fields of every custom object; its schema describes the others.
void set_fields(schema::Type& type) {
  schema::Field meta[2];
  for (std::size_t i = 0; i < 2; ++i) {
    meta[i].name = i == 0 ? "kind" : "apiVersion";
    meta[i].type.type = schema::FieldType::kString;
    meta[i].type_meta = true;
    meta[i].omit = schema::Omit::kEmpty;
    type.fields.push_back(meta[i]);
  }
  schema::Field metadata;
  metadata.name = "metadata";
  metadata.type.type = schema::FieldType::kRef;
  metadata.type.ref = &schema::Catalogue::built_in().object_meta();
  metadata.omit = schema::Omit::kEmpty;
  type.fields.push_back(metadata);
  for (const schema::Field& field : type.fields) type.flattened.push_back(&field);
  type.by_name = {1, 0, 2};
  type.open = true;
  type.has_proto = false;
  type.published = schema::PublishedKind::kOwn;
}

// Returns the default table's age column, with another name.
schema::Column age_column() {
  const schema::Column& created = schema::Catalogue::built_in().default_table().columns.back();
  return {"Age", "date", "", created.description, 0};
}

// Returns a unique type id. Its value has no visible effect.
std::uint32_t next_id() {
  constexpr std::uint32_t kFirst = 1 << 16;
  static std::atomic<std::uint32_t> next{kFirst};
  return next.fetch_add(1, std::memory_order_relaxed);
}

std::string deprecation(const Value& definition, const Value& version, std::string_view kind) {
  if (!bool_at(version, {"deprecated"})) return {};
  if (const Value* text = version.find("deprecationWarning");
      text != nullptr && text->is_string()) {
    return std::string(text->as_string());
  }
  const std::string_view name = version.string_at("name");
  const std::string group(text_at(definition, {"spec", "group"}));
  std::string warning =
      group + "/" + std::string(name) + " " + std::string(kind) + " is deprecated";
  std::string_view better;
  for (const Value& other : items_at(definition, {"spec", "versions"})) {
    const std::string_view candidate = other.string_at("name");
    if (!bool_at(other, {"served"}) || bool_at(other, {"deprecated"})) continue;
    if (version_stability(candidate) < version_stability(name) ||
        !version_precedes(candidate, name))
      continue;
    if (better.empty() || version_precedes(candidate, better)) better = candidate;
  }
  if (better.empty()) return warning;
  return warning + "; use " + group + "/" + std::string(better) + " " + std::string(kind);
}

std::optional<ConversionWebhook> webhook_of(const Value& definition) {
  const Value* conversion = definition.at({"spec", "conversion"});
  if (conversion == nullptr || conversion->string_at("strategy") != "Webhook") return std::nullopt;
  const Value* client = conversion->at({"webhook", "clientConfig"});
  if (client == nullptr) return std::nullopt;
  ConversionWebhook webhook{read_webhook_client(*client)};
  webhook.usable = ca_bundle_fault(client->string_at("caBundle")).empty();
  for (const Value& version : items_at(*conversion, {"webhook", "conversionReviewVersions"})) {
    const std::string_view name = text_of(version);
    webhook.beta = name == "v1beta1";
    if (name == "v1" || webhook.beta) break;
  }
  return webhook;
}

const std::vector<std::string_view> kPartVerbs = {"get", "patch", "update"};

}  // namespace

struct CustomKind::Names {
  std::string_view plural, singular, kind, list_kind;
  std::vector<std::string_view> short_names, categories;
  std::string_view storage_hash;
};

std::vector<std::string_view> CustomKind::keep_all(const Value* list) {
  std::vector<std::string_view> texts;
  if (list == nullptr || !list->is_array()) return texts;
  for (const Value& item : list->items()) texts.push_back(keep(item.as_string()));
  return texts;
}

// Stops at the first column that cannot be parsed.
void CustomKind::read_columns(const Value& version, CustomVersion& out) {
  const auto columns = items_at(version, {"additionalPrinterColumns"});
  if (version.find("additionalPrinterColumns") == nullptr || columns.empty()) {
    out.rows.add(age_column(), *JsonPath::parse(".metadata.creationTimestamp"));
    return;
  }
  for (const Value& column : columns) {
    const std::string_view text = column.string_at("jsonPath");
    std::optional<JsonPath> path = JsonPath::parse(text);
    if (!path) return;
    schema::Column shown{keep(column.string_at("name")), keep(column.string_at("type")),
                         keep(column.string_at("format")), keep(column.string_at("description")),
                         static_cast<int>(number_at(column, {"priority"}))};
    if (shown.description.empty()) {
      shown.description =
          keep("Custom resource definition column (in JSONPath format): " + std::string(text));
    }
    out.rows.add(shown, std::move(*path));
  }
}

void CustomKind::read_version(const Value& definition, const Value& version, const Names& names) {
  CustomVersion& out = versions_.emplace_back();
  out.kind = this;
  out.type.served = bool_at(version, {"served"}) && (names_accepted_ || established_);
  out.type.is_stored_version = bool_at(version, {"storage"});
  read_columns(version, out);
  out.warning = deprecation(definition, version, names.kind);

  schema::Type& type = out.schema;
  type.group = group_;
  type.version = keep(version.string_at("name"));
  type.kind = type.go_name = names.kind;
  set_fields(type);

  schema::Resource& resource = out.resource;
  resource.group = group_;
  resource.version = type.version;
  resource.kind = names.kind;
  resource.type = &type;
  resource.list_kind = names.list_kind;
  resource.plural = names.plural;
  resource.singular = names.singular;
  resource.short_names = names.short_names;
  resource.categories = names.categories;
  resource.namespaced = text_at(definition, {"spec", "scope"}) == "Namespaced";
  resource.verbs = {"delete", "deletecollection", "get",    "list",
                    "patch",  "create",           "update", "watch"};
  if (uid_.empty()) resource.verbs = {"get", "list"};  // no stored definition: see metrics_kinds
  if (terminating_) resource.verbs = {"delete", "deletecollection", "get", "list", "watch"};
  resource.storage_version_hash = names.storage_hash;
  resource.selectable_fields = {"metadata.name"};
  if (resource.namespaced) resource.selectable_fields.push_back("metadata.namespace");
  for (const Value& field : items_at(version, {"selectableFields"})) {
    std::string_view path = field.string_at("jsonPath");
    if (path.starts_with('.')) path.remove_prefix(1);
    resource.selectable_fields.push_back(keep(path));
  }
  if (version.at({"subresources", "status"}) != nullptr) {
    resource.subresources.push_back(
        {"status", group_, type.version, names.kind, &type, kPartVerbs});
  }
  if (const Value* scale = version.at({"subresources", "scale"})) {
    out.has_scale = true;
    out.scale_paths = {keep(scale->string_at("specReplicasPath")),
                       keep(scale->string_at("statusReplicasPath")),
                       keep(scale->string_at("labelSelectorPath"))};
    resource.subresources.push_back(
        {"scale", "autoscaling", "v1", "Scale",
         schema::Catalogue::built_in().find_kind("autoscaling", "v1", "Scale"), kPartVerbs});
  }

  out.type.resource = &resource;
  out.type.strategy = &strategy();
  out.type.key_prefix = std::string(group_) + "/" + std::string(names.plural) + "/";
  out.type.head = "{";
  out.type.api_version = std::string(group_) + "/" + std::string(type.version);
  out.type.etcd_path = std::string(group_) + "/" + std::string(names.plural);
  out.type.form = {.typed = false, .protobuf = false, .strategic_merge = false};
  out.type.behaviour = &out;
  out.type.defined_by = this;
  out.type.id = next_id();
  if (out.type.is_stored_version) storage_ = &out;
}

std::shared_ptr<const CustomKind> CustomKind::make(const Value& definition,
                                                   const CustomKind* before) {
  // make_shared cannot call the private constructor.
  std::shared_ptr<CustomKind> made(new CustomKind());
  CustomKind& kind = *made;
  kind.name_ = kind.keep(text_at(definition, {"metadata", "name"}));
  kind.uid_ = kind.keep(text_at(definition, {"metadata", "uid"}));
  kind.generation_ = number_at(definition, {"metadata", "generation"});
  kind.group_ = kind.keep(text_at(definition, {"spec", "group"}));
  kind.names_accepted_ = condition_is_true(definition, "NamesAccepted");
  kind.established_ = condition_is_true(definition, "Established");
  kind.terminating_ = condition_is_true(definition, "Terminating");

  kind.webhook_ = webhook_of(definition);

  const Value* accepted = definition.at({"status", "acceptedNames"});
  const auto accepted_or = [&](std::string_view name) {
    const std::string_view text = accepted == nullptr ? "" : accepted->string_at(name);
    return kind.keep(text.empty() ? text_at(definition, {"spec", "names", name}) : text);
  };
  Names names{.plural = accepted_or("plural"),
              .singular = accepted_or("singular"),
              .kind = accepted_or("kind"),
              .list_kind = accepted_or("listKind"),
              .short_names = {},
              .categories = {},
              .storage_hash = {}};
  if (accepted != nullptr) {
    names.short_names = kind.keep_all(accepted->find("shortNames"));
    kind.given_ = {kind.keep(accepted->string_at("plural")),
                   kind.keep(accepted->string_at("singular")),
                   kind.keep(accepted->string_at("kind")),
                   kind.keep(accepted->string_at("listKind")), names.short_names};
    names.categories = kind.keep_all(accepted->find("categories"));
  }
  for (const Value& version : items_at(definition, {"spec", "versions"})) {
    if (!bool_at(version, {"storage"}) || !bool_at(version, {"served"})) continue;
    if (kind.uid_.empty()) continue;  // nothing is stored
    const std::string stored = std::string(kind.group_) + "/" +
                               std::string(version.string_at("name")) + "/" +
                               std::string(names.kind);
    names.storage_hash = kind.keep(base64_encode(sha256(stored).substr(0, 8)));
  }
  for (const Value& version : items_at(definition, {"spec", "versions"})) {
    kind.read_version(definition, version, names);
  }
  if (kind.storage_ == nullptr) return nullptr;
  // While the definition is unchanged, objects encoded for the old type remain valid for the new
  // one.
  const bool same = before != nullptr && before->uid_ == kind.uid_ &&
                    before->generation_ == kind.generation_ &&
                    before->versions_.size() == kind.versions_.size();
  const auto versions = items_at(definition, {"spec", "versions"});
  for (std::size_t i = 0; i < kind.versions_.size(); ++i) {
    CustomVersion& version = kind.versions_[i];
    if (same) {
      version.type.id = before->versions_[i].type.id;
      version.structural = before->versions_[i].structural;
      version.cel_rules = before->versions_[i].cel_rules;
    } else {
      const Value* schema = versions[i].at({"schema", "openAPIV3Schema"});
      version.structural =
          schema::StructuralSchema::compile(schema == nullptr ? Value::null() : *schema);
      if (schema != nullptr) version.cel_rules = CelRules::of_schema(*schema);
    }
  }
  return made;
}

std::vector<const ResourceType*> CustomKind::types() const {
  std::vector<const ResourceType*> types;
  for (const CustomVersion& version : versions_) types.push_back(&version.type);
  return types;
}

const CustomVersion* CustomKind::find_version(std::string_view api_version) const {
  for (const CustomVersion& version : versions_) {
    if (version.type.api_version == api_version) return &version;
  }
  return nullptr;
}

}  // namespace tabernetes::registry::custom
