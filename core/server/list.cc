#include "server/list.h"

#include "codec/json_writer.h"
#include "codec/protobuf_writer.h"
#include "registry/kinds/selectable_fields.h"
#include "registry/object_record.h"
#include "registry/partial_metadata.h"
#include "registry/table.h"
#include "server/answer.h"
#include "server/continue_token.h"
#include "server/resource_version.h"
#include "server/tables.h"

namespace tabernetes::server {
namespace {

using json::Value;

// Where a list begins and as of when.
struct Start {
  const store::Tree* present = nullptr;
  std::optional<store::Snapshot> past;  // counts if there is one
  store::Revision revision = 0;
  std::string from;
  bool whole = false;  // the limit does not count

  const store::Tree& tree() const { return past ? past->tree : *present; }
};

constexpr std::string_view kListTooOld = "The resourceVersion for the provided list is too old.";
constexpr std::string_view kContinueTooOld =
    "The provided continue parameter is too old to display a consistent list result. You can "
    "start a new list without the continue parameter, or use the continue token in this response "
    "to retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";

Start start_at_present(const Call& call, std::string from) {
  return {.present = &call.objects.tree(),
          .past = std::nullopt,
          .revision = call.objects.revision(),
          .from = std::move(from)};
}

// Moves the start to exactly this version. Errors: 504, and `gone` for one that was compacted.
Result<void> go_to(Call& call, store::Revision revision, Start& start, const ApiStatus& gone) {
  TAB_CHECK(check_reached(call, revision));
  if (revision == start.revision) return {};
  auto state = call.objects.at(revision);
  if (!state) {
    call.needs_writer = state.error() == Objects::Missing::kNotAtHand;
    return make_unexpected(gone);
  }
  start.past = std::move(*state);
  start.revision = revision;
  return {};
}

Result<Start> start_at_token(Call& call, const ListOptions& options, const std::string& prefix) {
  TAB_TRY(const ContinueToken token, decode_continue(options.continue_token));
  if (!options.resource_version.empty() && options.resource_version != "0") {
    return make_unexpected(
        errors::bad_request("specifying resource version is not allowed when using continue"));
  }
  Start start = start_at_present(call, prefix + token.start);
  start.whole = options.resource_version == "0";
  if (token.revision < 0) return start;
  ApiStatus gone = errors::expired(kContinueTooOld);
  gone.continue_token = encode_continue({-1, token.start});
  TAB_CHECK(go_to(call, static_cast<store::Revision>(token.revision), start, gone));
  return start;
}

Result<Start> start_at_version(Call& call, const ListOptions& options, const std::string& from) {
  Start start = start_at_present(call, from);
  if (options.resource_version.empty()) return start;
  TAB_TRY(const store::Revision wanted,
          parse_version(*call.type, VersionOf::kList, options.resource_version));
  if (wanted == 0) {
    start.whole = true;
    return start;
  }
  TAB_CHECK(check_reached(call, wanted));
  const bool exactly = options.resource_version_match == "Exact" ||
                       (options.resource_version_match.empty() && options.limit > 0);
  if (!exactly) return start;
  TAB_CHECK(go_to(call, wanted, start, errors::expired(kListTooOld)));
  return start;
}

std::string list_head(const registry::ResourceType& type) {
  return "{\"kind\":\"" + std::string(type.resource->list_kind) + "\",\"apiVersion\":\"" +
         type.api_version + "\",\"metadata\":";
}

Value list_metadata(const ListPage& page, json::Arena& arena) {
  Value metadata = Value::object(arena);
  metadata.append(arena, "resourceVersion",
                  Value::string(arena.copy(std::to_string(page.revision))));
  if (!page.continue_token.empty()) {
    metadata.append(arena, "continue", Value::string(arena.copy(page.continue_token)));
  }
  if (page.remaining) {
    metadata.append(arena, "remainingItemCount", Value::integer(*page.remaining));
  }
  return metadata;
}

// The stored bytes one after another: nothing is copied.
Response splice_list(const registry::ResourceType& type, const ListPage& page, json::Arena& arena) {
  std::string head = list_head(type);
  codec::write_json(list_metadata(page, arena), head);
  head += ",\"items\":[";
  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"}, {"Content-Type", "application/json"}};
  response.body.reserve(page.records.size() + 2);
  response.body.append(std::move(head));
  for (std::size_t i = 0; i < page.records.size(); ++i) {
    registry::append_item(response.body, type, page.records[i], i == 0);
  }
  response.body.append_static("]}\n");
  return response;
}

// The list in protobuf: metadata=1, items=2, each record read and written for itself. False: an
// item nests too deep.
bool write_protobuf_list(const registry::ResourceType& type, const ListPage& page, Rope& body) {
  const schema::Type& list = *type.resource->list_type;
  std::size_t size = 0;
  std::vector<std::string> parts;
  parts.reserve(page.records.size() + 1);
  const auto add = [&](int number, const schema::Type& of, const Value& value) {
    std::string message;
    if (!codec::write_protobuf_message(of, value, message)) return false;
    std::string part;
    part.reserve(message.size() + 8);
    codec::write_protobuf_field_head(number, message.size(), part);
    part += message;
    size += part.size();
    parts.push_back(std::move(part));
    return true;
  };
  json::Arena arena;
  if (!add(1, *list.find("metadata")->type.ref, list_metadata(page, arena))) return false;
  for (const store::RecordPtr& record : page.records) {
    json::Arena of_item;
    if (!add(2, *type.resource->type, registry::read_object(type, *record, of_item))) return false;
  }
  std::string head;
  codec::write_protobuf_envelope_head(type.api_version, type.resource->list_kind, size, head);
  body.reserve(parts.size() + 2);
  body.append(std::move(head));
  for (std::string& part : parts) body.append(std::move(part));
  body.append_static(codec::kProtobufEnvelopeTail);
  return true;
}

Result<Response> answer_protobuf_list(const Representation& form,
                                      const registry::ResourceType& type, const ListPage& page) {
  Response response;
  if (!write_protobuf_list(type, page, response.body)) {
    return make_unexpected(errors::plain_error("an object is nested too deep for protobuf"));
  }
  response.headers = {{"Cache-Control", "no-cache, private"},
                      {"Content-Type", std::string(content_type(form))}};
  return response;
}

Value read_items(Call& call, const ListPage& page) {
  Value items = Value::array(call.arena);
  for (const store::RecordPtr& record : page.records) {
    items.push_back(call.arena, registry::read_object(*call.type, *record, call.arena));
  }
  return items;
}

// The list as a tree: for pretty printing and YAML. Items have no kind and apiVersion.
Value list_tree(Call& call, const ListPage& page) {
  json::Arena& arena = call.arena;
  Value items = read_items(call, page);
  for (Value& item : items.items()) {
    item.erase("kind");
    item.erase("apiVersion");
  }
  Value tree = Value::object(arena);
  tree.append(arena, "kind", Value::string(call.type->resource->list_kind));
  tree.append(arena, "apiVersion", Value::string(call.type->api_version));
  tree.append(arena, "metadata", list_metadata(page, arena));
  tree.append(arena, "items", items);
  return tree;
}

}  // namespace

Result<ObjectSelector> ObjectSelector::parse(const ListOptions& options,
                                             const schema::Resource& resource) {
  ObjectSelector selector{.labels = options.label_selector, .fields = {}};
  TAB_TRY(selector.fields, options.field_selector.resolve(resource));
  return selector;
}

bool ObjectSelector::matches(const registry::ResourceType& type, std::string_view key,
                             const store::Record& record) const {
  if (!labels.empty() && !labels.matches(registry::labels_of(record))) return false;
  if (fields.empty()) return true;
  const registry::KeyParts parts = registry::split_key(type, key);
  json::Arena arena;
  std::optional<Value> object;
  return fields.matches([&](std::string_view field) -> std::string {
    if (field == "metadata.name") return std::string(parts.name);
    if (field == "metadata.namespace") return std::string(parts.ns);
    if (!object) object = registry::read_object(type, record, arena);
    return registry::kinds::selectable_field(*type.resource, field, *object);
  });
}

namespace {

struct KeyRange {
  std::string from, end;
};

// What a list from the start has to read: one namespace of all or one object, if the selector names
// it. (Tokens stay relative to the whole collection, and a list that goes on reads all of it.)
KeyRange range_of(const Call& call, const ObjectSelector& selector) {
  const bool namespaced = call.type->resource->namespaced;
  std::string_view ns = call.ns;
  if (ns.empty() && namespaced) {
    ns = selector.fields.requires_exact_match("metadata.namespace").value_or(std::string_view());
  }
  const std::string prefix = call.type->collection_prefix(ns);
  const auto name = selector.fields.requires_exact_match("metadata.name");
  if (!name || name->empty() || (namespaced && ns.empty())) {
    return {prefix, store::prefix_end(prefix)};
  }
  const std::string key = prefix + std::string(*name);
  return {key, key + '\0'};
}

}  // namespace

Result<ListPage> list_page(Call& call, const ListOptions& options, const ObjectSelector& selector) {
  const std::string prefix = call.type->collection_prefix(call.ns);
  const KeyRange range = options.continue_token.empty()
                             ? range_of(call, selector)
                             : KeyRange{prefix, store::prefix_end(prefix)};
  TAB_TRY(const Start start, options.continue_token.empty()
                                 ? start_at_version(call, options, range.from)
                                 : start_at_token(call, options, prefix));
  const std::size_t limit =
      options.limit > 0 && !start.whole ? static_cast<std::size_t>(options.limit) : 0;
  ListPage page;
  page.revision = start.revision;
  std::string last;
  bool more = false;
  start.tree().scan(start.from, range.end,
                    [&](std::string_view key, const store::RecordPtr& record) {
                      if (limit != 0 && page.records.size() == limit) {
                        more = true;
                        return false;
                      }
                      if (selector.everything() || selector.matches(*call.type, key, *record)) {
                        page.records.push_back(record);
                      }
                      if (limit != 0) last.assign(key);
                      return true;
                    });
  if (!more) return page;
  last += '\0';
  page.continue_token =
      encode_continue({static_cast<std::int64_t>(page.revision), last.substr(prefix.size())});
  if (selector.everything()) {
    page.remaining = static_cast<std::int64_t>(start.tree().count(last, range.end));
  }
  return page;
}

Result<Response> answer_list(Call& call, const Representation& form, const ListPage& page) {
  json::Arena& arena = call.arena;
  switch (form.transform) {
    case Transform::kNone:
      if (form.encoding == codec::Encoding::kJson && !form.pretty) {
        return splice_list(*call.type, page, arena);
      }
      if (form.encoding == codec::Encoding::kProtobuf) {
        return answer_protobuf_list(form, *call.type, page);
      }
      return answer_tree(form, 200, list_tree(call, page));
    case Transform::kTable: {
      const auto include = registry::parse_include_object(call.query.get("includeObject"));
      if (!include) return make_unexpected(include_object_error(call.query));
      const registry::TableOptions options{.include_object = *include,
                                           .version = form.meta_version};
      const Value items = read_items(call, page);
      const schema::Resource& resource = *call.type->resource;
      return answer_tree(
          form, 200,
          registry::make_table(call.surface.catalogue, resource.group, resource.kind, items.items(),
                               list_metadata(page, arena), options, call.now, arena));
    }
    case Transform::kPartialMetadataList:
      return answer_tree(
          form, 200,
          registry::partial_metadata_list(read_items(call, page).items(),
                                          list_metadata(page, arena), form.meta_version, arena));
    case Transform::kPartialMetadata:
      break;
  }
  return make_unexpected(errors::not_acceptable(
      "you requested PartialObjectMetadata, but the requested object is a list (*" +
      go_type_name(*call.type) + "List)"));
}

}  // namespace tabernetes::server
