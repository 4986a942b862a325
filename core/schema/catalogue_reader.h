// Decodes the compact table of the catalogue into the model of schema.h, once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace tabernetes::schema {

// A reader that cannot overrun: past the end every read returns 0 and ok() is false.
class TableReader {
 public:
  TableReader(const unsigned char* data, std::size_t size) : next_(data), end_(data + size) {}

  std::uint32_t number();  // LEB128
  // Reads a number below `bound`; otherwise returns 0 and clears ok().
  std::uint32_t number_below(std::size_t bound);
  std::string_view text(std::size_t size);
  std::string_view text_before_nul();
  bool ok() const { return ok_; }
  bool at_end() const { return next_ == end_; }

 private:
  std::uint32_t fail();

  const unsigned char* next_;
  const unsigned char* end_;
  bool ok_ = true;
};

class CatalogueReader {
 public:
  // REQUIRES: `data` outlives the catalogue.
  CatalogueReader(const unsigned char* data, std::size_t size);

  // Fills `catalogue`; returns false if the table is malformed.
  bool read(Catalogue& catalogue);
  static Catalogue* read_built_in();  // never freed

 private:
  // In the order of kStreams in compile.mjs.
  enum Stream : std::uint8_t {
    kStrings,
    kNumbers,
    kFieldCounts,
    kFieldNames,
    kFieldTypes,
    kFieldShapes,
    kFieldProtoNumbers,
    kFieldDetails,
  };

  std::string_view string(Stream stream = kNumbers);
  std::vector<std::string_view> strings(Stream stream = kNumbers);
  std::vector<std::uint8_t> gates(Stream stream = kNumbers);
  const Type* type();
  const TypeRef& field_type();
  std::uint16_t proto_number(std::uint16_t before);
  void read_strings();
  void read_shapes();
  void read_elements();
  void read_types();
  Type read_type();
  Field read_field(std::uint16_t proto_before);
  void read_gates();
  void read_printed();
  void read_groups();
  ServedVersion read_version(const Group& group);
  Resource read_resource(std::string_view group, std::string_view version);
  void place_resources();
  void index_types();
  void mark_bytes_and_floats();

  std::vector<TableReader> streams_;
  TableReader& in_;  // kNumbers
  std::vector<std::string_view> strings_;
  std::size_t strings_read_ = 1;
  std::size_t field_types_read_ = 0;
  std::vector<std::uint32_t> shapes_;
  Catalogue* out_ = nullptr;
};

}  // namespace tabernetes::schema
