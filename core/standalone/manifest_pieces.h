// The objects of manifests, with the places where they stand.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "json/arena.h"
#include "json/value.h"
#include "tabernetes/check.h"

namespace tabernetes {

// An object of a manifest.
struct ManifestPiece {
  const ManifestFile* file = nullptr;
  std::size_t first_line = 1;      // of `text` in the file
  std::string_view document;       // the YAML document that it stands in
  std::vector<std::string> place;  // of the object in that document: {"items", "3"}, or empty
  json::Value object;

  // Returns the object as it is sent: the document itself, or the JSON of an item.
  std::string body() const;
  // Returns the line of a field, such as "spec.ports[0].name"; that of the object if there is none.
  std::size_t line_of(std::string_view field) const;
  // Returns the line that the document's line `number`, counted from 1, is in the file.
  std::size_t line_in_file(std::size_t number) const { return first_line + number - 1; }
};

// Returns the objects of a file in order. Adds a fault for each document that cannot be read.
// Values are in `arena`.
std::vector<ManifestPiece> manifest_pieces(const ManifestFile& file, json::Arena& arena,
                                           std::vector<ManifestFault>& faults);

// Splits the path of a field: "a.b[0].c[x.io/y]" has five parts.
std::vector<std::string> field_path(std::string_view field);

// Reads "line 3: TEXT" off the beginning of a text. Returns 0 and leaves it if it begins otherwise.
std::size_t take_line(std::string_view& text);

}  // namespace tabernetes
