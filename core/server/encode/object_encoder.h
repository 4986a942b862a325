// Objects of one type in one representation: the one place where what is stored becomes what is
// served, for get, list, watch and the answers to writes. Stored JSON is taken as it is; everything
// else is made once and kept in EncodedObjects.
//
// An object is encoded as an item of a collection or whole. Where the whole is only the item with
// something around it (protobuf, tables), the item is what is kept.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "json/value.h"
#include "registry/table.h"
#include "server/request/encoded_objects.h"
#include "server/request/negotiation.h"
#include "server/request/surface.h"
#include "store/record.h"
#include "tabernetes/buffer.h"

namespace tabernetes::server {

// Any thread may use one.
class ObjectEncoder {
 public:
  // `form` is of single objects or of collections. `surface` outlives this.
  ObjectEncoder(const Surface& surface, const registry::ResourceType& type,
                const Representation& form,
                registry::IncludeObject include = registry::IncludeObject::kMetadata)
      : surface_(surface), type_(type), hold_(type.hold()), form_(form), include_(include) {}

  const registry::ResourceType& type() const { return type_; }
  // What objects are read as: tables and metadata are made of the stored form.
  const registry::ResourceType& source_type() const {
    return form_.transform == Transform::kNone ? type_ : type_.stored_as();
  }
  const Representation& form() const { return form_; }
  bool makes_tables() const { return form_.transform == Transform::kTable; }

  // Adds the object as an answer or a watch event has it, JSON without a final newline. `shown` is
  // the version to write in place of the record's own; 0 keeps it. A table comes without its
  // columns if `columns` is kLeftOut. False: it cannot be written in this form, as it nests too
  // deep for protobuf or has characters that YAML refuses; `out` has part of it then.
  enum class Columns { kPresent, kLeftOut };
  bool append_whole(Rope& out, const store::RecordPtr& record, store::Revision shown, Time now,
                    Columns columns = Columns::kPresent) const;

  // Adds the object as an item of a collection, the row of a table, without what stands between
  // items. False: as above; `out` is as before.
  bool append_item(std::string& out, const store::RecordPtr& record, Time now) const;

  // Whether append_item() will succeed. Encodes only where it might not.
  bool can_encode(const store::RecordPtr& record, Time now) const;

  registry::TableOptions table_options(Columns columns = Columns::kPresent) const {
    return {.include_object = include_,
            .version = form_.meta_version,
            .with_columns = columns == Columns::kPresent,
            .shown_as = &type_};
  }

  // How many bytes the item's message of protobuf has; nothing if it nests too deep.
  std::optional<std::size_t> message_size(const store::RecordPtr& record, Time now) const;

  // A collection with this metadata, and no items, as a tree.
  json::Value empty_collection(const json::Value& metadata, json::Arena& arena,
                               Columns columns = Columns::kPresent) const;

 private:
  // What encodings are kept of.
  enum class Part { kItem, kWhole, kCells, kConverted };

  template <typename Make>
  std::optional<Slice> kept(Part part, const store::RecordPtr& record, store::Revision shown,
                            Time now, const Make& make) const;
  std::optional<Slice> encoded(Part part, const store::RecordPtr& record, store::Revision shown,
                               Time now) const;
  std::optional<KeptEncoding> encode(Part part, const store::Record& record, store::Revision shown,
                                     Time now) const;
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

  const Surface& surface_;
  const registry::ResourceType& type_;
  std::shared_ptr<const void> hold_;  // of the type
  Representation form_;
  registry::IncludeObject include_;
};

}  // namespace tabernetes::server
