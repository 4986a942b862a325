#include <map>
#include <optional>
#include <vector>

#include "patch/typed.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Value;

// The items of a list, indexed by path element.
struct IndexedList {
  std::vector<PathElement> order;
  std::vector<const Value*> items;            // parallel to `order`
  std::map<PathElement, const Value*> known;  // null: occurs more than once

  bool has(const PathElement& element) const { return known.count(element) > 0; }
  const Value* at(const PathElement& element) const {
    const auto found = known.find(element);
    return found == known.end() ? nullptr : found->second;
  }
};

IndexedList index_list(const Shape& shape, const Value* list) {
  IndexedList index;
  if (list == nullptr) return index;
  for (const Value& item : list->items()) {
    const auto element = shape.item_element(item);
    if (!element) continue;
    index.order.push_back(*element);
    index.items.push_back(&item);
    const auto [place, is_new] = index.known.emplace(*element, &item);
    if (!is_new) place->second = nullptr;
  }
  return index;
}

class Merger {
 public:
  explicit Merger(Arena& arena) : arena_(arena) {}

  // Returns nullopt if nothing is left. Null pointers mean absent.
  std::optional<Value> merge(const Shape& shape, const Value* live, const Value* config,
                             int depth) {
    const auto has_parts = [&](const Value* value) {
      return value != nullptr && value->size() > 0 &&
             (shape.is_map() ? value->is_object() : value->is_array());
    };
    const bool container = (shape.is_map() || shape.is_list()) && depth < FieldSet::kMaxDepth;
    if (!container || (!has_parts(live) && !has_parts(config))) {
      if (config != nullptr) return *config;
      return live == nullptr ? std::nullopt : std::optional(*live);
    }
    const Value* live_parts = has_parts(live) ? live : nullptr;
    const Value* config_parts = has_parts(config) ? config : nullptr;
    return shape.is_map() ? merge_maps(shape, live_parts, config_parts, depth)
                          : ListMerge(*this, shape, live_parts, config_parts, depth).run();
  }

 private:
  std::optional<Value> merge_maps(const Shape& shape, const Value* live, const Value* config,
                                  int depth) {
    Value merged = Value::object(arena_);
    if (live != nullptr) {
      for (const json::Member& member : live->members()) {
        const Value* other = config == nullptr ? nullptr : config->find(member.key);
        merge_member(shape, member.key, &member.value, other, depth, merged);
      }
    }
    if (config != nullptr) {
      for (const json::Member& member : config->members()) {
        if (live != nullptr && live->find(member.key) != nullptr) continue;
        merge_member(shape, member.key, nullptr, &member.value, depth, merged);
      }
    }
    return merged.size() == 0 ? std::nullopt : std::optional(merged);
  }

  void merge_member(const Shape& shape, std::string_view key, const Value* live,
                    const Value* config, int depth, Value& merged) {
    const auto member = shape.member(key);
    const Shape leaf;
    if (const auto value = merge(member ? member->shape : leaf, live, config, depth + 1)) {
      merged.append(arena_, key, *value);
    }
  }

  // Merges lists: common items in the order of the configuration; an item only in the live list
  // stays before those that follow it there.
  class ListMerge {
   public:
    ListMerge(Merger& merger, const Shape& shape, const Value* live, const Value* config, int depth)
        : merger_(merger),
          item_shape_(shape.item()),
          depth_(depth),
          live_(index_list(shape, live)),
          config_(index_list(shape, config)),
          merged_(Value::array(merger.arena_)) {
      for (std::size_t i = 0; i < config_.order.size(); ++i) {
        if (live_.has(config_.order[i])) shared_.push_back(i);
      }
    }

    std::optional<Value> run() {
      while (next_live_ < live_.order.size() || next_config_ < config_.order.size()) step();
      return merged_.size() == 0 ? std::nullopt : std::optional(merged_);
    }

   private:
    const PathElement* next_shared() const {
      return next_shared_ < shared_.size() ? &config_.order[shared_[next_shared_]] : nullptr;
    }

    void step() {
      const bool more_live = next_live_ < live_.order.size();
      const bool more_config = next_config_ < config_.order.size();
      if (more_live && more_config) {
        const PathElement& element = live_.order[next_live_];
        if (element == config_.order[next_config_]) {
          take_config();
          ++next_live_;
          return;
        }
        const PathElement* shared = next_shared();
        if (config_.has(element) && shared != nullptr && !(*shared == element)) {
          ++next_live_;  // added at its position in the configuration
          return;
        }
      }
      if (more_live) {
        const PathElement& element = live_.order[next_live_];
        if (!config_.has(element)) {
          add(live_.items[next_live_], nullptr);
          ++next_live_;
          return;
        }
        if (taken_.count(element) > 0) ++next_live_;
      }
      if (more_config) take_config();
    }

    void take_config() {
      const PathElement& element = config_.order[next_config_];
      taken_.emplace(element, true);
      const PathElement* shared = next_shared();
      if (shared != nullptr && *shared == element) ++next_shared_;
      add(live_.at(element), config_.at(element));
      ++next_config_;
    }

    void add(const Value* live, const Value* config) {
      if (const auto item = merger_.merge(item_shape_, live, config, depth_ + 1)) {
        merged_.push_back(merger_.arena_, *item);
      }
    }

    Merger& merger_;
    const Shape item_shape_;
    const int depth_;
    const IndexedList live_, config_;
    Value merged_;
    std::vector<std::size_t> shared_;  // indexes in the configuration of common items
    std::size_t next_shared_ = 0, next_live_ = 0, next_config_ = 0;
    std::map<PathElement, bool> taken_;
  };

  Arena& arena_;
};

Value without(const Shape& shape, const Value& value, const FieldSet& removed, Arena& arena);

Value members_without(const Shape& shape, const Value& map, const FieldSet& removed, Arena& arena) {
  Value left = Value::object(arena);
  for (const json::Member& member : map.members()) {
    const FieldSet::Child* child = removed.find(PathElement::field(member.key));
    if (child != nullptr && child->member) continue;
    const auto schema = shape.member(member.key);
    left.append(arena, member.key,
                child == nullptr || !schema
                    ? member.value
                    : without(schema->shape, member.value, child->below, arena));
  }
  return left.size() == 0 ? Value::null() : left;
}

Value items_without(const Shape& shape, const Value& list, const FieldSet& removed, Arena& arena) {
  Value left = Value::array(arena);
  const Shape item_shape = shape.item();
  for (const Value& item : list.items()) {
    const auto element = shape.item_element(item);
    const FieldSet::Child* child = element ? removed.find(*element) : nullptr;
    if (child != nullptr && child->member) continue;
    left.push_back(arena, child == nullptr ? item : without(item_shape, item, child->below, arena));
  }
  return left.size() == 0 ? Value::null() : left;
}

Value without(const Shape& shape, const Value& value, const FieldSet& removed, Arena& arena) {
  if (shape.is_map() && value.is_object()) return members_without(shape, value, removed, arena);
  if (shape.is_list() && value.is_array()) return items_without(shape, value, removed, arena);
  return value;
}

}  // namespace

Value merge_typed(const Shape& shape, const Value& live, const Value& config, Arena& arena) {
  return Merger(arena).merge(shape, &live, &config, 0).value_or(Value::object(arena));
}

Value without_fields(const Shape& shape, const Value& value, const FieldSet& removed,
                     Arena& arena) {
  const Value left = without(shape, value, removed, arena);
  return left.is_null() ? Value::object(arena) : left;
}

}  // namespace tabernetes::patch
