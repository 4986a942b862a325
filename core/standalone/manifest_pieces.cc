#include "standalone/manifest_pieces.h"

#include <charconv>

#include "codec/json_writer.h"
#include "codec/yaml.h"
#include "codec/yaml_lines.h"
#include "kinds/table/load_order.h"

namespace tabernetes {
namespace {

using json::Value;

struct Document {
  std::string_view text;
  std::size_t first_line = 1;
};

// Returns whether a line separates documents.
bool separates(std::string_view line) {
  return line.starts_with("---") &&
         (line.size() == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\r');
}

// Splits a file as kubectl does. Source: apimachinery/pkg/util/yaml/decoder.go.
std::vector<Document> documents_of(std::string_view text) {
  std::vector<Document> documents;
  std::size_t begin = 0, first_line = 1, number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t next = std::min(end + 1, text.size());
    if (separates(text.substr(at, end - at))) {
      documents.push_back({text.substr(begin, at - begin), first_line});
      // What follows on the line of the separator belongs to the document.
      begin = at + 3;
      first_line = number;
    }
    at = next;
  }
  documents.push_back({text.substr(begin), first_line});
  return documents;
}

void append_pieces(const ManifestPiece& whole, std::vector<ManifestPiece>& pieces) {
  const Value* const items = registry::kinds::list_items(whole.object);
  if (items == nullptr) return pieces.push_back(whole);
  std::size_t index = 0;
  for (const Value& item : items->items()) {
    ManifestPiece piece = whole;
    piece.place = {"items", std::to_string(index++)};
    piece.object = item;
    pieces.push_back(std::move(piece));
  }
}

}  // namespace

std::string ManifestPiece::body() const {
  return place.empty() ? std::string(document) : codec::json_text(object);
}

std::size_t ManifestPiece::line_of(std::string_view field) const {
  std::vector<std::string> path = place;
  for (std::string& part : field_path(field)) path.push_back(std::move(part));
  return first_line + codec::yaml_line_of(document, path);
}

std::vector<ManifestPiece> manifest_pieces(const ManifestFile& file, json::Arena& arena,
                                           std::vector<ManifestFault>& faults) {
  std::vector<ManifestPiece> pieces;
  for (const Document& document : documents_of(file.text)) {
    const codec::YamlRead read = codec::read_yaml(document.text, arena);
    if (read.ok() && read.value.is_null()) continue;
    ManifestPiece whole{&file, document.first_line, document.text, {}, read.value};
    if (read.ok() && read.value.is_object()) {
      append_pieces(whole, pieces);
      continue;
    }
    ManifestFault fault{.file = file.name, .line = document.first_line};
    std::string_view message = read.ok() ? "is not an object" : std::string_view(read.error);
    constexpr std::string_view kYaml = "yaml: ";
    if (message.starts_with(kYaml)) message.remove_prefix(kYaml.size());
    if (const std::size_t line = take_line(message)) fault.line = whole.line_in_file(line);
    fault.message = message;
    faults.push_back(std::move(fault));
  }
  return pieces;
}

std::vector<std::string> field_path(std::string_view field) {
  std::vector<std::string> path;
  while (!field.empty()) {
    if (field.front() == '.') field.remove_prefix(1);
    if (!field.empty() && field.front() == '[') {
      const std::size_t end = std::min(field.find(']'), field.size());
      path.emplace_back(field.substr(1, end - 1));
      field.remove_prefix(std::min(end + 1, field.size()));
      continue;
    }
    const std::size_t end = std::min(field.find_first_of(".["), field.size());
    if (end == 0) continue;
    path.emplace_back(field.substr(0, end));
    field.remove_prefix(end);
  }
  return path;
}

std::size_t take_line(std::string_view& text) {
  constexpr std::string_view kLine = "line ";
  if (!text.starts_with(kLine)) return 0;
  std::size_t number = 0;
  const char* const begin = text.data() + kLine.size();
  const auto [end, fault] = std::from_chars(begin, text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (fault != std::errc() || !text.substr(length).starts_with(": ")) return 0;
  text.remove_prefix(length + 2);
  return number;
}

}  // namespace tabernetes
