// Checks our CBOR reader and writer against libcbor's tree of items, the part of the library that
// the core does not use (the core uses its stream decoder and its encoders).
//
// Strings and keys are written as byte strings, as Kubernetes does; text strings are read as well.
#include <cbor.h>

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "codec/cbor_reader.h"
#include "codec/cbor_writer.h"
#include "codec/json_reader.h"
#include "documents.h"

namespace tabernetes::judges {
namespace {

struct ItemDeleter {
  void operator()(cbor_item_t* item) const { cbor_decref(&item); }
};
using ItemPtr = std::unique_ptr<cbor_item_t, ItemDeleter>;

std::string bytes_of_item(const cbor_item_t* item) {
  return {reinterpret_cast<const char*>(cbor_bytestring_handle(item)),
          cbor_bytestring_length(item)};
}

bool same_number(const cbor_item_t* item, const Document& document) {
  if (cbor_isa_uint(item)) return document == cbor_get_int(item);
  if (cbor_isa_negint(item)) {
    return document == -1 - static_cast<std::int64_t>(cbor_get_int(item));
  }
  return cbor_isa_float_ctrl(item) && cbor_is_float(item) &&
         cbor_float_get_float(item) == document.get<double>();
}

// Returns whether libcbor's item equals the document, ignoring the order of members.
bool same_item(const cbor_item_t* item, const Document& document) {
  if (document.is_null()) return cbor_isa_float_ctrl(item) && cbor_is_null(item);
  if (document.is_boolean()) {
    return cbor_isa_float_ctrl(item) && cbor_is_bool(item) &&
           cbor_get_bool(item) == document.get<bool>();
  }
  if (document.is_number()) return same_number(item, document);
  if (document.is_string()) {
    return cbor_isa_bytestring(item) && cbor_bytestring_is_definite(item) &&
           bytes_of_item(item) == document.get_ref<const std::string&>();
  }
  if (document.is_array()) {
    if (!cbor_isa_array(item) || cbor_array_size(item) != document.size()) return false;
    for (std::size_t i = 0; i < document.size(); ++i) {
      if (!same_item(cbor_array_handle(item)[i], document[i])) return false;
    }
    return true;
  }
  if (!cbor_isa_map(item) || cbor_map_size(item) != document.size()) return false;
  for (std::size_t i = 0; i < document.size(); ++i) {
    const cbor_pair& pair = cbor_map_handle(item)[i];
    if (!cbor_isa_bytestring(pair.key)) return false;
    const auto found = document.find(bytes_of_item(pair.key));
    if (found == document.end() || !same_item(pair.value, *found)) return false;
  }
  return true;
}

// Encodes the text as any CBOR writer might: as text or as bytes.
ItemPtr string_item(const std::string& text, Random& random) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (pick(random, 2) == 0) return ItemPtr(cbor_build_stringn(text.data(), text.size()));
  return ItemPtr(cbor_build_bytestring(bytes, text.size()));
}

ItemPtr number_item(const Document& document) {
  if (document.is_number_float()) return ItemPtr(cbor_build_float8(document.get<double>()));
  const std::int64_t number = document.get<std::int64_t>();
  if (number >= 0) return ItemPtr(cbor_build_uint64(static_cast<std::uint64_t>(number)));
  ItemPtr item(cbor_build_uint64(static_cast<std::uint64_t>(-1 - number)));
  cbor_mark_negint(item.get());
  return item;
}

ItemPtr item_of(const Document& document, Random& random) {
  if (document.is_null()) return ItemPtr(cbor_new_null());
  if (document.is_boolean()) return ItemPtr(cbor_build_bool(document.get<bool>()));
  if (document.is_number()) return number_item(document);
  if (document.is_string()) return string_item(document, random);
  const bool endless = pick(random, 2) == 0;
  if (document.is_array()) {
    ItemPtr item(endless ? cbor_new_indefinite_array() : cbor_new_definite_array(document.size()));
    for (const Document& value : document) {
      REQUIRE(cbor_array_push(item.get(), item_of(value, random).get()));
    }
    return item;
  }
  ItemPtr item(endless ? cbor_new_indefinite_map() : cbor_new_definite_map(document.size()));
  for (const auto& [key, value] : document.items()) {
    const ItemPtr name = string_item(key, random), held = item_of(value, random);
    REQUIRE(cbor_map_add(item.get(), {name.get(), held.get()}));
  }
  return item;
}

// Turns integers beyond int64 into floats, as Kubernetes does.
Document within_int64(const Document& document) {
  if (document.is_number_unsigned() && document.get<std::uint64_t>() > INT64_MAX) {
    return document.get<double>();
  }
  if (!document.is_structured()) return document;
  Document result = document;
  for (auto& value : result) value = within_int64(value);
  return result;
}

TEST_CASE("cbor: libcbor reads what we write", "[property]") {
  const Seeds seeds(1500);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const Document document = within_int64(random_document(random, 5));
    INFO("seed " << seed << ": " << document.dump());
    json::Arena arena;
    const std::string text = document.dump();
    const codec::JsonRead read = codec::read_json(text, arena);
    REQUIRE(read.ok());
    std::string written;
    codec::write_cbor_value(nullptr, read.value, written);
    cbor_load_result result;
    const ItemPtr item(
        cbor_load(reinterpret_cast<const unsigned char*>(written.data()), written.size(), &result));
    REQUIRE(result.error.code == CBOR_ERR_NONE);
    CHECK(result.read == written.size());
    CHECK(same_item(item.get(), document));
  }
}

TEST_CASE("cbor: we read what libcbor writes", "[property]") {
  const Seeds seeds(1500);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const Document document = within_int64(random_document(random, 5));
    INFO("seed " << seed << ": " << document.dump());
    const ItemPtr item = item_of(document, random);
    unsigned char* bytes = nullptr;
    std::size_t room = 0;
    const std::size_t size = cbor_serialize_alloc(item.get(), &bytes, &room);
    REQUIRE(size > 0);
    json::Arena arena;
    const codec::CborRead read =
        codec::read_cbor({reinterpret_cast<const char*>(bytes), size}, arena);
    CHECK(read.error == "");
    // Our writer sorts members by key, and so does nlohmann's default object type.
    CHECK(same(read.value, Document(nlohmann::json(document))));
    free(bytes);
  }
}

TEST_CASE("cbor: what libcbor cannot read to its end we refuse", "[property]") {
  const Seeds seeds(1500);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const std::string text = random_document(random, 3).dump();
    json::Arena arena;
    std::string written;
    codec::write_cbor_value(nullptr, codec::read_json(text, arena).value, written);
    written.resize(pick(random, written.size()));
    INFO("seed " << seed << ", cut to " << written.size() << " bytes");
    cbor_load_result result;
    const ItemPtr item(
        cbor_load(reinterpret_cast<const unsigned char*>(written.data()), written.size(), &result));
    CHECK(result.error.code != CBOR_ERR_NONE);
    CHECK_FALSE(codec::read_cbor(written, arena).ok());
  }
}

}  // namespace
}  // namespace tabernetes::judges
