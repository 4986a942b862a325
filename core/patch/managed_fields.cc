#include "patch/managed_fields.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/algorithm/sort.h"
#include "base/time/rfc3339.h"
#include "codec/json_writer.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Value;

void add_member(std::string& text, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  if (text.size() > 1) text += ',';
  codec::write_json_string(name, text);
  text += ':';
  codec::write_json_string(value, text);
}

// Returns true if FieldsV1 have none of these members of the object.
bool owns_none_of(const Value& fields, const std::vector<std::string_view>& members) {
  return fields.is_object() &&
         std::none_of(fields.members().begin(), fields.members().end(), [&](const auto& field) {
           const bool named = field.key.starts_with("f:");
           return !named ||
                  std::find(members.begin(), members.end(), field.key.substr(2)) != members.end();
         });
}

std::optional<ManagedFieldsEntry> read_entry(const Value& value,
                                             const std::vector<std::string_view>* changed) {
  if (!value.is_object()) return std::nullopt;
  ManagedFieldsEntry entry;
  entry.manager = value.string_at("manager");
  entry.api_version = value.string_at("apiVersion");
  entry.subresource = value.string_at("subresource");
  const std::string_view operation = value.string_at("operation");
  if (operation == "Apply") {
    entry.operation = ManagedFieldsEntry::Operation::kApply;
  } else if (operation != "Update") {
    return std::nullopt;
  }
  if (entry.api_version.empty() || value.string_at("fieldsType") != "FieldsV1") {
    return std::nullopt;
  }
  entry.time = parse_rfc3339(value.string_at("time"));
  if (const Value* fields = value.find("fieldsV1"); fields != nullptr && !fields->is_null()) {
    if (changed != nullptr && owns_none_of(*fields, *changed)) {
      entry.unread = *fields;
      return entry;
    }
    auto set = FieldSet::from_fields_v1(*fields);
    if (!set) return std::nullopt;
    entry.fields = std::move(*set);
  }
  return entry;
}

bool entry_comes_before(const ManagedFieldsEntry& a, const ManagedFieldsEntry& b) {
  if (a.operation != b.operation) return a.operation == ManagedFieldsEntry::Operation::kApply;
  if (a.seconds() != b.seconds()) return a.seconds() < b.seconds();
  return std::tie(a.manager, a.api_version, a.subresource) <
         std::tie(b.manager, b.api_version, b.subresource);
}

}  // namespace

std::string_view name_of(ManagedFieldsEntry::Operation operation) {
  return operation == ManagedFieldsEntry::Operation::kApply ? "Apply" : "Update";
}

std::string ManagedFieldsEntry::identity() const {
  std::string text = "{";
  add_member(text, "manager", manager);
  add_member(text, "operation", name_of(operation));
  if (operation == Operation::kUpdate) add_member(text, "apiVersion", api_version);
  add_member(text, "subresource", subresource);
  return text += '}';
}

void ManagedFieldsEntry::read() {
  if (unread.is_null()) return;
  fields = FieldSet::from_fields_v1(unread).value_or(FieldSet());
  unread = Value::null();
}

bool ManagedFieldsEntry::operator==(const ManagedFieldsEntry& other) const {
  return manager == other.manager && operation == other.operation &&
         api_version == other.api_version && subresource == other.subresource &&
         time.has_value() == other.time.has_value() && seconds() == other.seconds() &&
         fields == other.fields;
}

std::optional<ManagedFields> read_managed_fields(const Value& list,
                                                 const std::vector<std::string_view>* changed) {
  ManagedFields entries;
  if (list.is_null()) return entries;
  if (!list.is_array()) return std::nullopt;
  std::map<std::string, std::size_t> places;
  for (const Value& value : list.items()) {
    auto entry = read_entry(value, changed);
    if (!entry) return std::nullopt;
    const auto [place, is_new] = places.emplace(entry->identity(), entries.size());
    if (is_new) {
      entries.push_back(std::move(*entry));
    } else {
      entries[place->second] = std::move(*entry);
    }
  }
  return entries;
}

Value write_managed_fields(ManagedFields& entries, Arena& arena) {
  sort_stable(entries, entry_comes_before);
  Value list = Value::array(arena);
  list.reserve(arena, static_cast<std::uint32_t>(entries.size()));
  for (const ManagedFieldsEntry& entry : entries) {
    const Value fields = entry.unread.is_null() ? entry.fields.to_fields_v1(arena) : entry.unread;
    list.push_back(arena, write_managed_entry(entry, fields, arena));
  }
  return list;
}

Value write_managed_entry(const ManagedFieldsEntry& entry, Value fields_v1, Arena& arena) {
  Value value = Value::object(arena);
  const auto add = [&](std::string_view name, std::string_view text) {
    if (!text.empty()) value.append(arena, name, Value::string(arena.copy(text)));
  };
  add("manager", entry.manager);
  add("operation", name_of(entry.operation));
  add("apiVersion", entry.api_version);
  if (entry.time) add("time", format_rfc3339(*entry.time));
  add("fieldsType", "FieldsV1");
  value.append(arena, "fieldsV1", fields_v1);
  add("subresource", entry.subresource);
  return value;
}

}  // namespace tabernetes::patch
