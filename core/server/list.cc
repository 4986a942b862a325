#include "server/list.h"

#include "codec/json_writer.h"
#include "codec/protobuf_writer.h"
#include "registry/object_record.h"
#include "registry/partial_metadata.h"
#include "registry/table.h"
#include "server/answer.h"
#include "server/tables.h"

namespace tabernetes::server {
namespace {

using json::Value;

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

Value read_items(const registry::ResourceType& type, const ListPage& page, json::Arena& arena) {
  Value items = Value::array(arena);
  for (const store::RecordPtr& record : page.records) {
    items.push_back(arena, registry::read_object(type, *record, arena));
  }
  return items;
}

// The list as a tree: for pretty printing and YAML. Items have no kind and apiVersion.
Value list_tree(Call& call, const ListPage& page) {
  json::Arena& arena = call.arena;
  Value items = read_items(*call.type, page, arena);
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
      TAB_TRY(const registry::IncludeObject include, included_object(call));
      const registry::TableOptions options{
          .include_object = include, .version = form.meta_version, .shown_as = call.type};
      const Value items = read_items(call.type->stored_as(), page, arena);
      const schema::Resource& resource = *call.type->resource;
      return answer_tree(
          form, 200,
          registry::make_table(call.surface.catalogue, resource.group, resource.kind, items.items(),
                               list_metadata(page, arena), options, call.now, arena));
    }
    case Transform::kPartialMetadataList:
      return answer_tree(
          form, 200,
          registry::partial_metadata_list(read_items(call.type->stored_as(), page, arena).items(),
                                          list_metadata(page, arena), form.meta_version, arena));
    case Transform::kPartialMetadata:
      break;
  }
  return make_unexpected(errors::not_acceptable(
      "you requested PartialObjectMetadata, but the requested object is a list (*" +
      go_type_name(call.type->stored_as().resource->group, call.type->resource->list_kind) + ")"));
}

}  // namespace tabernetes::server
