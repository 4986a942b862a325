// Encodes objects of one type in one representation: the only conversion from the stored to the
// served form, used by get, list, watch and answers to writes. Stored JSON is used as it is; all
// other encodings are made once and kept in EncodingCache, the encoding cache.
//
// An object is encoded as an item of a collection or as a whole. Where the whole is the item with a
// frame around it (protobuf, tables), the item is what is cached.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "json/value.h"
#include "registry/table/table.h"
#include "server/request/encoding_cache.h"
#include "server/request/negotiation.h"
#include "server/request/server_context.h"
#include "store/record.h"
#include "tabernetes/buffer.h"

namespace tabernetes::server {

// Safe on any thread.
class ObjectEncoder {
 public:
  // `form` is of single objects or of collections. REQUIRES: `server` outlives this object.
  ObjectEncoder(const ServerContext& server, const registry::ResourceType& type,
                const Representation& form,
                registry::IncludeObject include = registry::IncludeObject::kMetadata)
      : server_(server), type_(type), hold_(type.hold()), form_(form), include_(include) {}

  const registry::ResourceType& type() const { return type_; }
  // Returns the type to read objects as: tables and metadata are made from the stored form.
  const registry::ResourceType& source_type() const {
    return form_.transform == Transform::kNone ? type_ : type_.stored_as();
  }
  const Representation& form() const { return form_; }
  bool makes_tables() const { return form_.transform == Transform::kTable; }

  // Appends the object as in an answer or a watch event, JSON without a final newline. `shown` is
  // the version to write instead of the record's own, unless 0. With kOmitted a table has no
  // columns. Returns false if the object cannot be written in this form, because it nests too deep
  // for protobuf or has characters that YAML rejects; `out` then contains part of it.
  enum class Columns { kPresent, kOmitted };
  bool append_whole(Rope& out, const store::RecordPtr& record, store::Revision shown, Time now,
                    Columns columns = Columns::kPresent) const;

  // Appends the object as an item of a collection (a table's row), without separators. Returns
  // false as above; `out` is then unchanged.
  bool append_item(std::string& out, const store::RecordPtr& record, Time now) const;

  // Returns whether append_item() will succeed. Encodes the object only if that is uncertain.
  bool can_encode(const store::RecordPtr& record, Time now) const;

  registry::TableOptions table_options(Columns columns = Columns::kPresent) const {
    return {.include_object = include_,
            .version = form_.meta_version,
            .with_columns = columns == Columns::kPresent,
            .shown_as = &type_};
  }

  // Returns the size of the item's protobuf message, or nullopt if it nests too deep.
  std::optional<std::size_t> message_size(const store::RecordPtr& record, Time now) const;

  // Returns a collection with this metadata and without items, as a tree.
  json::Value empty_collection(const json::Value& metadata, json::Arena& arena,
                               Columns columns = Columns::kPresent) const;

 private:
  // The kinds of cached encodings.
  enum class Part { kItem, kWhole, kCells, kConverted };

  template <typename Make>
  std::optional<Slice> kept(Part part, const store::RecordPtr& record, store::Revision shown,
                            Time now, const Make& make) const;
  std::optional<Slice> encoded(Part part, const store::RecordPtr& record, store::Revision shown,
                               Time now) const;
  std::optional<CachedEncoding> encode(Part part, const store::Record& record,
                                       store::Revision shown, Time now) const;
  std::optional<Slice> cells(const store::RecordPtr& record, store::Revision shown, Time now) const;
  registry::TableRow shape(Part part, const store::Record& record, store::Revision shown, Time now,
                           json::Arena& arena) const;
  const schema::Type* message_type() const;

  void write_json_object(const store::RecordPtr& record, store::Revision shown, Time now,
                         std::string& out) const;
  void write_json_metadata(const store::RecordPtr& record, store::Revision shown,
                           std::string& out) const;
  void write_json_row(const store::RecordPtr& record, store::Revision shown, Time now,
                      std::string& out) const;
  void write_json_item(const store::RecordPtr& record, store::Revision shown, Time now,
                       std::string& out) const;
  bool write_item(const store::RecordPtr& record, store::Revision shown, Time now,
                  std::string& out) const;
  bool append_table(Rope& out, const store::RecordPtr& record, store::Revision shown, Time now,
                    Columns columns) const;
  bool append_json(Rope& out, const store::RecordPtr& record, store::Revision shown,
                   Time now) const;
  bool append_message(Rope& out, const store::RecordPtr& record, store::Revision shown,
                      Time now) const;

  const ServerContext& server_;
  const registry::ResourceType& type_;
  std::shared_ptr<const void> hold_;  // keeps the type alive
  Representation form_;
  registry::IncludeObject include_;
};

}  // namespace tabernetes::server
