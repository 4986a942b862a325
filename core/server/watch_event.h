// One watch event as the bytes that go over the wire. Source: spec/list-watch.md 4.4, 4.7, 4.8.
#pragma once

#include <string_view>

#include "registry/resource_type.h"
#include "registry/table.h"
#include "schema/schema.h"
#include "server/negotiation.h"
#include "store/record.h"
#include "tabernetes/buffer.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// `{"type":"ADDED","object":{...}}` and a newline, or a length and a message of protobuf: one run
// of bytes, made once and shared by all who get it.
struct WatchFrame {
  Slice bytes;
  bool last = false;  // an ERROR: nothing follows
};

enum class WatchEventType { kAdded, kModified, kDeleted };

class WatchEncoder {
 public:
  WatchEncoder(const schema::Catalogue& catalogue, const registry::ResourceType& type,
               const Representation& form, registry::IncludeObject include)
      : catalogue_(catalogue), type_(type), form_(form), include_(include) {}

  // `shown` is the version to write (0: the record's own). A table comes without its columns, see
  // with_columns(). An object that cannot be written in the watch's form gives an ERROR.
  WatchFrame event(WatchEventType event, const store::Record& record, store::Revision shown,
                   Time now) const;

  // A bookmark at `revision`; the one that ends the initial events carries its annotation.
  enum class Bookmark { kProgress, kInitialEventsEnd };
  WatchFrame bookmark(store::Revision revision, Bookmark kind, Time now) const;

  // A Status, whatever the transformation.
  WatchFrame error(const ApiStatus& status) const;

  bool makes_tables() const { return form_.transform == Transform::kTable; }
  // An event of a table as the first one of a watch has it: with the columns.
  Slice with_columns(const Slice& frame) const;

 private:
  bool encode(std::string_view event, const json::Value& object, std::string& out) const;
  // What the objects are read as: tables and metadata are made of the stored form.
  const registry::ResourceType& source_type() const;
  WatchFrame encode_transformed(std::string_view event, json::Value object, Time now,
                                json::Arena& arena) const;

  const schema::Catalogue& catalogue_;
  const registry::ResourceType& type_;
  Representation form_;
  registry::IncludeObject include_;
};

}  // namespace tabernetes::server
