// One watch event as the bytes that go over the wire. Source: spec/list-watch.md 4.4, 4.7, 4.8.
#pragma once

#include <optional>
#include <string_view>

#include "registry/resource_type.h"
#include "registry/table.h"
#include "schema/schema.h"
#include "server/negotiation.h"
#include "store/record.h"
#include "tabernetes/buffer.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// Encodes the events of one watch: remembers whether a table's columns were sent.
class WatchEncoder {
 public:
  WatchEncoder(const schema::Catalogue& catalogue, const registry::ResourceType& type,
               const Representation& form, registry::IncludeObject include)
      : catalogue_(catalogue), type_(type), form_(form), include_(include) {}

  // `{"type":"ADDED","object":{...}}` and a newline, or a frame of protobuf. `shown` is the version
  // to write (0: the record's own).
  void append_event(Rope& rope, std::string_view event, const store::RecordPtr& record,
                    store::Revision shown, Time now);

  // A bookmark at `revision`; the one that ends the initial events carries its annotation.
  enum class Bookmark { kProgress, kInitialEventsEnd };
  void append_bookmark(Rope& rope, store::Revision revision, Bookmark kind, Time now);

  // A Status, whatever the transformation.
  void append_error(Rope& rope, const ApiStatus& status);

 private:
  void append_encoded(Rope& rope, std::string_view event, const json::Value& object);
  void append_tree(Rope& rope, std::string_view event, json::Value object, Time now,
                   json::Arena& arena);

  const schema::Catalogue& catalogue_;
  const registry::ResourceType& type_;
  Representation form_;
  registry::IncludeObject include_;
  bool columns_sent_ = false;
};

}  // namespace tabernetes::server
