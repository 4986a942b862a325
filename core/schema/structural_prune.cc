// Pruning and removal of nulls; see structural.h. Recursion is as deep as the value is nested,
// which the readers limit.
#include "base/algorithm/sort.h"
#include "schema/structural.h"

namespace tabernetes::schema {
namespace {

using json::Value;

// Rewrites `object` without the members for which `goes` returns true; one pass, since objects may
// have a hundred thousand unknown members.
template <class Goes>
void erase_members(Value& object, json::Arena& arena, const Goes& goes) {
  Value kept = Value::object(arena);
  for (const json::Member& member : object.members()) {
    if (!goes(member)) kept.append(arena, member.key, member.value);
  }
  object = kept;
}

class Pruner {
 public:
  Pruner(json::Arena& arena, std::vector<std::string>* unknown)
      : arena_(arena), unknown_(unknown) {}

  // `embedded`: the value is an object with metadata.
  void prune(Value& value, const Structural* schema, bool embedded) {
    if (value.is_array()) return prune_items(value, schema);
    if (!value.is_object()) return;
    const bool keeps_unknown = schema != nullptr && schema->preserve_unknown;
    bool erases = false;
    for (json::Member& member : value.members()) {
      if (embedded && is_meta_field(member.key)) continue;
      const Structural* below = schema == nullptr ? nullptr : schema->property(member.key);
      if (below != nullptr || (schema != nullptr && has_free_keys(*schema))) {
        prune_member(member, below != nullptr ? below : schema->additional);
      } else if (!keeps_unknown) {
        record(member.key);
        erases = true;
      }
    }
    if (erases) erase_unknown(value, schema, embedded);
  }

 private:
  static bool has_free_keys(const Structural& schema) {
    return schema.additional_properties != Additional::kNone;
  }

  void prune_member(json::Member& member, const Structural* schema) {
    const std::size_t length = path_.size();
    append_key(member.key);
    prune(member.value, schema, schema != nullptr && schema->embedded);
    path_.resize(length);
  }

  // The items of a list that keeps unknown fields keep theirs too, but nothing deeper does.
  void prune_items(Value& list, const Structural* schema) {
    const Structural* below = schema == nullptr ? nullptr : schema->items;
    const bool keeps_unknown = schema != nullptr && schema->preserve_unknown;
    std::uint32_t i = 0;
    for (Value& item : list.items()) {
      const std::size_t length = path_.size();
      if (unknown_ != nullptr) path_.append("[").append(std::to_string(i)).append("]");
      if (keeps_unknown) {
        keep_item(item, below);
      } else {
        prune(item, below, below != nullptr && below->embedded);
      }
      path_.resize(length);
      ++i;
    }
  }

  void keep_item(Value& item, const Structural* schema) {
    if (schema == nullptr) return;
    Structural keeps = *schema;
    keeps.preserve_unknown = true;
    prune(item, &keeps, schema->embedded);
  }

  void erase_unknown(Value& object, const Structural* schema, bool embedded) {
    erase_members(object, arena_, [&](const json::Member& member) {
      if (embedded && is_meta_field(member.key)) return false;
      return schema == nullptr || schema->property(member.key) == nullptr;
    });
  }

  void append_key(std::string_view key) {
    if (unknown_ == nullptr) return;
    if (!path_.empty()) path_ += '.';
    path_ += key;
  }

  void record(std::string_view key) {
    if (unknown_ == nullptr || (path_.empty() && is_meta_field(key))) return;
    const std::size_t length = path_.size();
    append_key(key);
    unknown_->push_back(path_);
    path_.resize(length);
  }

  json::Arena& arena_;
  std::vector<std::string>* unknown_;
  std::string path_;
};

bool is_unwanted_null(const Value& value, const Structural* schema) {
  return value.is_null() && schema != nullptr && !schema->nullable &&
         schema->default_value == nullptr;
}

}  // namespace

bool is_meta_field(std::string_view name) {
  return name == "apiVersion" || name == "kind" || name == "metadata";
}

void prune(Value& value, const Structural& schema, Whole whole, json::Arena& arena,
           std::vector<std::string>* unknown) {
  std::vector<std::string> found;
  Pruner(arena, unknown == nullptr ? nullptr : &found)
      .prune(value, &schema, whole == Whole::kObject || schema.embedded);
  sort_stable(found);
  if (unknown != nullptr) unknown->insert(unknown->end(), found.begin(), found.end());
}

void prune_nulls(Value& value, const Structural& schema, json::Arena& arena) {
  if (value.is_array()) {
    if (schema.items == nullptr) return;
    for (Value& item : value.items()) prune_nulls(item, *schema.items, arena);
  } else if (value.is_object()) {
    bool erases = false;
    for (json::Member& member : value.members()) {
      const Structural* below = schema.member(member.key);
      if (is_unwanted_null(member.value, below)) {
        erases = true;
      } else if (below != nullptr) {
        prune_nulls(member.value, *below, arena);
      }
    }
    if (!erases) return;
    erase_members(value, arena, [&schema](const json::Member& member) {
      return is_unwanted_null(member.value, schema.member(member.key));
    });
  }
}

}  // namespace tabernetes::schema
