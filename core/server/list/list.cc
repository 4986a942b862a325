#include "server/list/list.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "codec/json_writer.h"
#include "json/sort_deep.h"
#include "registry/objects/object_record.h"
#include "registry/table/partial_metadata.h"
#include "registry/table/table.h"
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

// Whether the list stands whole, its members sorted, as its objects do.
bool is_untyped(const registry::ResourceType& type, const Representation& form) {
  return !type.form.typed && form.transform == Transform::kNone;
}

// Returns the list's metadata. For custom resources it is sorted and always has `continue`.
Value list_metadata(const ListPage& page, bool untyped, json::Arena& arena) {
  Value metadata = Value::object(arena);
  if (page.revision != 0) {
    metadata.append(arena, "resourceVersion",
                    Value::string(arena.copy(std::to_string(page.revision))));
  }
  if (untyped || !page.continue_token.empty()) {
    metadata.append(arena, "continue", Value::string(arena.copy(page.continue_token)));
  }
  if (page.remaining) {
    metadata.append(arena, "remainingItemCount", Value::integer(*page.remaining));
  }
  if (untyped) metadata.sort_members();
  return metadata;
}

// Returns the stored bytes one after another, without copying.
Response splice_list(const registry::ResourceType& type, const ListPage& page, json::Arena& arena) {
  const bool untyped = !type.form.typed;
  std::string head, tail = "]}\n";
  std::string metadata = codec::json_text(list_metadata(page, untyped, arena));
  if (untyped) {
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

// Returns the list as one tree, if it cannot be encoded item by item.
Value list_tree(RequestContext& call, const Representation& form, const ObjectEncoder& encoder,
                const ListPage& page) {
  json::Arena& arena = call.arena;
  const bool untyped = is_untyped(*call.type, form);
  const Value metadata = list_metadata(page, untyped, arena);
  Value items = read_items(encoder.source_type(), page, arena);
  if (form.transform == Transform::kTable) {
    return registry::make_table(call.type->behaviour->table(), items.items(), metadata,
                                encoder.table_options(), call.now, arena);
  }
  if (form.transform == Transform::kPartialMetadataList) {
    return registry::partial_metadata_list(call.type, items.items(), metadata, form.meta_version,
                                           arena);
  }
  for (Value& item : items.items()) {
    if (untyped) continue;
    item.erase("kind");
    item.erase("apiVersion");
  }
  Value tree = encoder.empty_collection(metadata, arena);
  *tree.find("items") = items;
  if (untyped) json::sort_deep(tree);
  return tree;
}

bool is_stored_json(const registry::ResourceType& type, const Representation& form) {
  return form.transform == Transform::kNone && form.encoding == codec::Encoding::kJson &&
         !form.pretty && type.storage == nullptr;
}

bool can_go_item_by_item(const ObjectEncoder& encoder, const ListPage& page, Time now) {
  if (page.records.empty() || is_untyped(encoder.type(), encoder.form())) return false;
  if (encoder.makes_tables() && encoder.type().behaviour->table().order() != nullptr) {
    return false;
  }
  return std::all_of(page.records.begin(), page.records.end(), [&](const store::RecordPtr& record) {
    return encoder.can_encode(record, now);
  });
}

// Returns a short list as a whole, a long one as a stream.
Response encode_list(RequestContext& call, const ObjectEncoder& encoder, ListPage& page) {
  Response response;
  response.headers = {{"Cache-Control", "no-cache, private"},
                      {"Content-Type", std::string(content_type(encoder.form()))}};
  const Value metadata = list_metadata(page, false, call.arena);
  auto body = std::make_unique<ListBody>(call.server.shared_from_this(), encoder,
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

Result<Response> answer_list(RequestContext& call, const Representation& form, ListPage page) {
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
  const ObjectEncoder encoder(call.server, type, form, include);
  if (can_go_item_by_item(encoder, page, call.now)) return encode_list(call, encoder, page);
  return answer_tree(form, 200, list_tree(call, form, encoder, page));
}

}  // namespace tabernetes::server
