#include "server/list/list.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "codec/json_writer.h"
#include "json/sort_deep.h"
#include "registry/object_record.h"
#include "registry/partial_metadata.h"
#include "registry/table.h"
#include "server/encode/answer.h"
#include "server/encode/object_encoder.h"
#include "server/encode/tables.h"
#include "server/list/list_body.h"

namespace tabernetes::server {
namespace {

using json::Value;

std::string list_head(const registry::ResourceType& type) {
  return "{\"kind\":\"" + std::string(type.resource->list_kind) + "\",\"apiVersion\":\"" +
         type.api_version + "\",\"metadata\":";
}

bool is_custom(const registry::ResourceType& type, const Representation& form) {
  return type.custom != nullptr && form.transform == Transform::kNone;
}

// That of custom resources is sorted, and names its continuation also where there is none.
Value list_metadata(const ListPage& page, bool custom, json::Arena& arena) {
  Value metadata = Value::object(arena);
  if (page.revision != 0) {
    metadata.append(arena, "resourceVersion",
                    Value::string(arena.copy(std::to_string(page.revision))));
  }
  if (custom || !page.continue_token.empty()) {
    metadata.append(arena, "continue", Value::string(arena.copy(page.continue_token)));
  }
  if (page.remaining) {
    metadata.append(arena, "remainingItemCount", Value::integer(*page.remaining));
  }
  if (custom) metadata.sort_members();
  return metadata;
}

// The stored bytes one after another: nothing is copied.
Response splice_list(const registry::ResourceType& type, const ListPage& page, json::Arena& arena) {
  const bool custom = type.custom != nullptr;
  std::string head, tail = "]}\n";
  std::string metadata;
  codec::write_json(list_metadata(page, custom, arena), metadata);
  if (custom) {
    head.append("{\"apiVersion\":\"").append(type.api_version).append("\",\"items\":[");
    tail = "],\"kind\":\"" + std::string(type.resource->list_kind) + "\",\"metadata\":" + metadata +
           "}\n";
  } else {
    head = list_head(type) + metadata + ",\"items\":[";
  }
  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"}, {"Content-Type", "application/json"}};
  response.body.reserve(page.records.size() + 2);
  response.body.append(std::move(head));
  for (std::size_t i = 0; i < page.records.size(); ++i) {
    registry::append_item(response.body, type, page.records[i], i == 0);
  }
  response.body.append(std::move(tail));
  return response;
}

Value read_items(const registry::ResourceType& type, const ListPage& page, json::Arena& arena) {
  Value items = Value::array(arena);
  for (const store::RecordPtr& record : page.records) {
    items.push_back(arena, registry::read_object(type, *record, arena));
  }
  return items;
}

// The list as one tree, where it cannot go item by item.
Value list_tree(Call& call, const Representation& form, const ObjectEncoder& encoder,
                const ListPage& page) {
  json::Arena& arena = call.arena;
  const bool custom = is_custom(*call.type, form);
  const Value metadata = list_metadata(page, custom, arena);
  Value items = read_items(encoder.source_type(), page, arena);
  if (form.transform == Transform::kTable) {
    const schema::Resource& resource = *call.type->resource;
    return registry::make_table(call.surface.catalogue, resource.group, resource.kind,
                                items.items(), metadata, encoder.table_options(), call.now, arena);
  }
  if (form.transform == Transform::kPartialMetadataList) {
    return registry::partial_metadata_list(items.items(), metadata, form.meta_version, arena);
  }
  for (Value& item : items.items()) {
    if (custom) continue;
    item.erase("kind");
    item.erase("apiVersion");
  }
  Value tree = encoder.empty_collection(metadata, arena);
  *tree.find("items") = items;
  if (custom) json::sort_deep(tree);
  return tree;
}

bool is_stored_json(const registry::ResourceType& type, const Representation& form) {
  return form.transform == Transform::kNone && form.encoding == codec::Encoding::kJson &&
         !form.pretty && type.conversion == nullptr;
}

bool can_go_item_by_item(const ObjectEncoder& encoder, const ListPage& page, Time now) {
  if (page.records.empty() || is_custom(encoder.type(), encoder.form())) return false;
  if (encoder.makes_tables() && !registry::rows_in_order(encoder.type().resource->kind)) {
    return false;
  }
  return std::all_of(page.records.begin(), page.records.end(), [&](const store::RecordPtr& record) {
    return encoder.can_encode(record, now);
  });
}

// Whole if it is short, else a stream.
Response encode_list(Call& call, const ObjectEncoder& encoder, ListPage& page) {
  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"},
                      {"Content-Type", std::string(content_type(encoder.form()))}};
  const Value metadata = list_metadata(page, false, call.arena);
  auto body = std::make_unique<ListBody>(call.surface.shared_from_this(), encoder,
                                         std::move(page.records), metadata, call.now);
  Rope first = body->next();
  if (body->ended()) {
    response.body = std::move(first);
  } else {
    body->put_back(std::move(first));
    response.stream = std::move(body);
  }
  return response;
}

}  // namespace

Result<Response> answer_list(Call& call, const Representation& form, ListPage page) {
  const registry::ResourceType& type = *call.type;
  if (form.transform == Transform::kPartialMetadata) {
    return errors::not_acceptable(
        "you requested PartialObjectMetadata, but the requested object is a list (*" +
        go_type_name(type.stored_as().resource->group, type.resource->list_kind) + ")");
  }
  auto include = registry::IncludeObject::kMetadata;
  if (form.transform == Transform::kTable) {
    TAB_TRY(include, included_object(call));
  }
  if (is_stored_json(type, form)) return splice_list(type, page, call.arena);
  const ObjectEncoder encoder(call.surface, type, form, include);
  if (can_go_item_by_item(encoder, page, call.now)) return encode_list(call, encoder, page);
  return answer_tree(form, 200, list_tree(call, form, encoder, page));
}

}  // namespace tabernetes::server
