// Merges one object after the other with an explicit stack: patches may be deep.
#include "patch/strategic_merge.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "json/type_name.h"
#include "patch/directives.h"
#include "patch/merge_list.h"
#include "patch/new_value.h"
#include "patch/patch_schema.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Member;
using json::Value;

Result<ListValues> items_of(const Value& list) {
  if (list.is_array()) return ListValues(list.items().begin(), list.items().end());
  return unexpected_type("[]interface {}", list);
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

class StrategicMerge {
 public:
  explicit StrategicMerge(Arena& arena) : arena_(arena) {}

  Result<Value> run(const PatchType& type, const Value& live, const Value& patch) {
    Value result = live;
    open_.push_back({&result, patch, type});
    while (!open_.empty()) {
      const Merge merge = open_.back();
      open_.pop_back();
      TAB_CHECK(merge_object(merge));
      // Pushed in reverse, so that the first one found is merged first.
      open_.insert(open_.end(), found_.rbegin(), found_.rend());
      found_.clear();
    }
    return result;
  }

 private:
  // An object to be merged in place.
  struct Merge {
    Value* place;
    Value patch;
    PatchType type;
  };
  // A merged list whose items are still to be merged.
  struct MergedList {
    std::string_view name;
    MergedItems items;
    PatchType type;
  };

  Result<void> merge_object(const Merge& merge) {
    if (const Value* directive = merge.patch.find(kPatchDirective)) {
      return replace_or_delete(*merge.place, merge.patch, *directive);
    }
    object_ = merge.place->shallow_copy(arena_);
    *merge.place = object_;
    objects_.clear();
    lists_.clear();
    TAB_TRY(const Value patch, retain_keys(merge.patch));
    TAB_CHECK(order_lists(patch, merge.type));
    for (const Member& member : patch.members()) {
      if (starts_with(member.key, kSetElementOrder) || is_ordered(member.key, patch)) continue;
      TAB_CHECK(merge_member(member, merge.type));
    }
    object_.sort_members();
    find_merges();
    return {};
  }

  Result<void> replace_or_delete(Value& place, const Value& patch, const Value& directive) {
    if (is_text(directive, "replace")) {
      place = patch.shallow_copy(arena_);
      place.erase(kPatchDirective);
    } else if (is_text(directive, "delete")) {
      place = Value::object(arena_);
    } else {
      return unknown_directive(directive, patch);
    }
    return {};
  }

  // Drops the members that $retainKeys does not list; returns the patch without that directive.
  Result<Value> retain_keys(const Value& patch) {
    const Value* retained = patch.find(kRetainKeys);
    if (retained == nullptr) return patch;
    const auto invalid = [] { return errors::bad_request("invalid patch format of retainKeys"); };
    if (!retained->is_array()) return invalid();
    std::set<std::string_view> keys;
    for (const Value& key : retained->items()) {
      if (key.is_string()) keys.insert(key.as_string());
    }
    for (const Member& member : patch.members()) {
      if (member.key == kRetainKeys || member.value.is_null() ||
          starts_with(member.key, kDeleteFromList) || starts_with(member.key, kSetElementOrder)) {
        continue;
      }
      if (keys.count(member.key) == 0) return invalid();
    }
    const Value all = object_.shallow_copy(arena_);
    for (const Member& member : all.members()) {
      if (keys.count(member.key) == 0) object_.erase(member.key);
    }
    Value rest = patch.shallow_copy(arena_);
    rest.erase(kRetainKeys);
    return rest;
  }

  Result<void> order_lists(const Value& patch, const PatchType& type) {
    for (const Member& member : patch.members()) {
      if (starts_with(member.key, kSetElementOrder)) TAB_CHECK(order_list(member, patch, type));
    }
    return {};
  }

  Result<void> order_list(const Member& directive, const Value& patch, const PatchType& type) {
    TAB_TRY(const ListValues order, items_of(directive.value));
    const auto name = field_of(directive.key, kSetElementOrder);
    if (!name) {
      return errors::bad_request("invalid patch format of setElementOrder list");
    }
    const Value *live = object_.find(*name), *change = patch.find(*name);
    ListValues live_items, patch_items;
    if (live != nullptr) {
      TAB_TRY(live_items, items_of(*live));
    }
    if (change != nullptr) {
      TAB_TRY(patch_items, items_of(*change));
    }
    TAB_TRY(const PatchField field, patch_field(type, *name));
    TAB_CHECK(check_element_order(patch_items, order, field.merge_key));
    if (live == nullptr && change == nullptr) return {};

    TAB_TRY(MergedItems merged, merge_for_order(live, change, live_items, patch_items, field));
    TAB_TRY(merged, set_element_order(merged, order, live_items, patch_items, field));
    put_list(*name, std::move(merged), field.type);
    return {};
  }

  Result<MergedItems> merge_for_order(const Value* live, const Value* change,
                                      const ListValues& live_items, const ListValues& patch_items,
                                      const PatchField& field) {
    if (change == nullptr) return unmerged(live_items);
    if (live == nullptr) {
      ListValues cleaned;
      for (const Value& item : patch_items) {
        if (const auto kept = clean_new_value(item, arena_)) cleaned.push_back(*kept);
      }
      return unmerged(cleaned);
    }
    if (field.strategy != Strategy::kMerge) return unmerged(patch_items);
    return merge_list(live_items, patch_items, field);
  }

  static MergedItems unmerged(const ListValues& items) {
    MergedItems merged;
    for (const Value& item : items) merged.push_back({item, {}});
    return merged;
  }

  // Returns whether $setElementOrder has handled the list already.
  static bool is_ordered(std::string_view key, const Value& patch) {
    return patch.find(std::string(kSetElementOrder) + "/" + std::string(key)) != nullptr;
  }

  Result<void> merge_member(const Member& member, const PatchType& type) {
    std::string_view name = member.key;
    const bool deletes = starts_with(name, kDeleteFromList);
    if (deletes) {
      const auto field = field_of(name, kDeleteFromList);
      if (!field) {
        return errors::bad_request("invalid patch format of primitive list");
      }
      name = *field;
    }
    const Value& change = member.value;
    if (change.is_null()) {
      erase(name);
      return {};
    }
    const Value* live = object_.find(name);
    if (live == nullptr || live->type() != change.type()) {
      if (!deletes) put_new(name, change);
      return {};
    }
    if (change.is_object()) return merge_objects(name, change, type);
    if (change.is_array()) return merge_lists(name, *live, change, deletes, type);
    if (!deletes) object_.set(arena_, name, change);
    return {};
  }

  Result<void> merge_objects(std::string_view name, const Value& change, const PatchType& type) {
    TAB_TRY(const PatchField field, patch_field(type, name));
    if (field.strategy == Strategy::kReplace) {
      object_.set(arena_, name, change);
    } else {
      objects_.push_back({name, change, field.type});
    }
    return {};
  }

  Result<void> merge_lists(std::string_view name, const Value& live, const Value& change,
                           bool deletes, const PatchType& type) {
    TAB_TRY(const PatchField field, patch_field(type, name));
    if (field.strategy != Strategy::kMerge && !deletes) {
      object_.set(arena_, name, change);
      return {};
    }
    TAB_TRY(const ListValues live_items, items_of(live));
    TAB_TRY(const ListValues patch_items, items_of(change));
    TAB_TRY(MergedItems merged, deletes ? delete_from_list(live_items, patch_items, field)
                                        : merge_list(live_items, patch_items, field));
    put_list(name, std::move(merged), field.type);
    return {};
  }

  void put_new(std::string_view name, const Value& value) {
    erase(name);
    if (const auto cleaned = clean_new_value(value, arena_)) object_.set(arena_, name, *cleaned);
  }

  void erase(std::string_view name) {
    object_.erase(name);
    forget_list(name);
  }

  void put_list(std::string_view name, MergedItems merged, const PatchType& type) {
    Value list = Value::array(arena_);
    list.reserve(arena_, static_cast<std::uint32_t>(merged.size()));
    for (const MergedItem& item : merged) list.push_back(arena_, item.value);
    object_.set(arena_, name, list);
    forget_list(name);
    lists_.push_back({name, std::move(merged), type});
  }

  void forget_list(std::string_view name) {
    lists_.erase(std::remove_if(lists_.begin(), lists_.end(),
                                [&](const MergedList& list) { return list.name == name; }),
                 lists_.end());
  }

  // Finds the objects still to be merged; their addresses are final now.
  void find_merges() {
    for (const NamedMerge& merge : objects_) {
      found_.push_back({object_.find(merge.name), merge.patch, merge.type});
    }
    for (const MergedList& list : lists_) {
      Value* items = object_.find(list.name);
      for (std::size_t i = 0; i < list.items.size(); ++i) {
        for (const Value& patch : list.items[i].patches) {
          found_.push_back({&items->items()[i], patch, list.type});
        }
      }
    }
  }

  struct NamedMerge {
    std::string_view name;
    Value patch;
    PatchType type;
  };

  Arena& arena_;
  std::vector<Merge> open_;
  std::vector<Merge> found_;  // in the object being merged
  // State of the object being merged.
  Value object_;
  std::vector<NamedMerge> objects_;
  std::vector<MergedList> lists_;
};

}  // namespace

Result<Value> apply_strategic_merge(const schema::Type& type, const Value& live, const Value& patch,
                                    Arena& arena) {
  if (patch.is_null()) return live;
  if (!patch.is_object()) {
    return errors::bad_request("json: cannot unmarshal " + std::string(json::go_type_name(patch)) +
                               " into Go value of type map[string]interface {}");
  }
  return StrategicMerge(arena).run({schema::FieldType::kRef, &type}, live, patch);
}

}  // namespace tabernetes::patch
