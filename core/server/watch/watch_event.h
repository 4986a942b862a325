// Encodes watch events as bytes on the wire. Source: spec/list-watch.md 4.4, 4.7, 4.8.
#pragma once

#include <string_view>

#include "registry/kind/resource_type.h"
#include "server/encode/object_encoder.h"
#include "store/record.h"
#include "tabernetes/buffer.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// `{"type":"ADDED","object":{...}}` and a newline, or a length and a protobuf message, as one
// buffer that is encoded once and shared by all receivers.
struct WatchFrame {
  Slice bytes;
  bool last = false;  // an ERROR: nothing follows
};

enum class WatchEventType { kAdded, kModified, kDeleted };

class WatchEncoder {
 public:
  // REQUIRES: `server` and `type` outlive this object.
  WatchEncoder(const ServerContext& server, const registry::ResourceType& type,
               const Representation& form, registry::IncludeObject include)
      : catalogue_(server.catalogue),
        type_(type),
        form_(form),
        objects_(server, type, form, include) {}

  // `shown` is the version to write (0: the record's own). Tables have no columns, see
  // with_columns(). An object that cannot be written in the watch's form becomes an ERROR.
  WatchFrame event(WatchEventType event, const store::RecordPtr& record, store::Revision shown,
                   Time now) const;

  // Returns a bookmark at `revision`; the one that ends the initial events has its annotation.
  enum class Bookmark { kProgress, kInitialEventsEnd };
  WatchFrame bookmark(store::Revision revision, Bookmark kind, Time now) const;

  // Returns a Status, whatever the transformation.
  WatchFrame error(const ApiStatus& status) const;

  bool makes_tables() const { return form_.transform == Transform::kTable; }
  // Returns a table event with columns, for the first event of a watch.
  Slice with_columns(const Slice& frame) const;

 private:
  bool encode(std::string_view event, const json::Value& object, std::string& out) const;

  const schema::Catalogue& catalogue_;
  const registry::ResourceType& type_;
  Representation form_;
  ObjectEncoder objects_;
};

}  // namespace tabernetes::server
