// Decodes nodes with an explicit stack, follows aliases within go-yaml's limits, merges `<<`. Keys
// keep their YAML type while duplicates are detected (1 and "1" differ) and then become text.
// Source: go-yaml v2 decode.go (decoder), sigs.k8s.io/yaml yaml.go (convertToJSONableObject).
// Tested by tests/core/codec/yaml_reader_test.cc, tests/fuzz/yaml_fuzz.cc.
#include "codec/yaml_decoder.h"

#include <charconv>
#include <cmath>
#include <deque>
#include <set>

#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "codec/json_syntax.h"
#include "codec/yaml_go_syntax.h"
#include "codec/yaml_scalar.h"

namespace tabernetes::codec {
namespace {

using json::Arena;
using json::Member;
using json::Value;
using NodeKind = YamlNode::Kind;
using ScalarKind = YamlScalar::Kind;

bool is_merge(const YamlNode& key) {
  return key.kind == NodeKind::kScalar && key.value == "<<" &&
         (key.implicit || key.tag == "tag:yaml.org,2002:merge");
}

// Returns the allowed share of decoding steps caused by aliases, which falls with the document's
// size.
double allowed_alias_ratio(std::uint64_t steps) {
  constexpr double kLow = 400'000, kHigh = 4'000'000;
  const auto count = static_cast<double>(steps);
  if (count <= kLow) return 0.99;
  if (count >= kHigh) return 0.10;
  return 0.99 - 0.89 * ((count - kLow) / (kHigh - kLow));
}

constexpr std::string_view kExcessiveAliasing = "document contains excessive aliasing";

// The limit on text repeated by aliases. go-yaml counts steps only, of which ten thousand
// references to an anchor of a megabyte take few; the real server would run out of memory.
constexpr std::size_t kMostAliasedText = 64 << 20;

// Returns a float as JSON reads it back: whole numbers become integers.
Value float_value(double real, Arena& arena) {
  const std::string_view text = arena.copy(go_json_float(real));
  std::int64_t integer = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (status == std::errc() && end == text.data() + text.size()) return Value::integer(integer);
  return Value::number(arena, real, text);
}

class Decoder {
 public:
  Decoder(Arena& arena, YamlDecoded& result) : arena_(arena), result_(result) {}

  void run(const YamlNode& root) {
    bool going_on = begin(root);
    while (going_on && !open_.empty()) going_on = step();
    if (result_.error.empty()) result_.error = !key_error_.empty() ? key_error_ : value_error_;
  }

 private:
  using Keys = std::set<std::string>;  // ordered: hashes are open to collision attacks

  // A collection being decoded.
  struct Container {
    const YamlNode* node = nullptr;
    const YamlNode* next = nullptr;  // next child
    Value tree;
    Keys* keys = nullptr;             // of a mapping, with a letter for their type
    bool is_merged = false;           // its members go into the merging mapping's tree
    const YamlNode* alias = nullptr;  // the alias that led to it, or null

    // The key that was read; its value follows.
    bool has_key = false;
    YamlScalar key_scalar;
    std::string_view key;   // as text
    std::string typed_key;  // as stored in `keys`

    std::vector<const YamlNode*> merges;  // still to be merged, the next one last
  };

  bool fail(std::string_view error) {
    result_.error = "yaml: " + std::string(error);
    return false;
  }

  bool count_step() {
    ++steps_;
    if (alias_depth_ > 0) ++alias_steps_;
    const bool is_excessive = alias_steps_ > 100 && steps_ > 1000 &&
                              static_cast<double>(alias_steps_) / static_cast<double>(steps_) >
                                  allowed_alias_ratio(steps_);
    return !is_excessive || fail(kExcessiveAliasing);
  }

  bool step() {
    Container& container = open_.back();
    if (!container.merges.empty()) {
      const YamlNode* node = container.merges.back();
      container.merges.pop_back();
      return begin_merge(*node);
    }
    if (container.next == nullptr) return finish();
    const YamlNode& child = *container.next;
    container.next = child.next;
    const bool is_key = container.node->kind == NodeKind::kMapping && !container.has_key;
    if (is_key && is_merge(child)) {
      const YamlNode& value = *container.next;
      container.next = value.next;
      return plan_merge(container, value);
    }
    return begin(child);
  }

  // Delivers a scalar at once, opens a collection.
  bool begin(const YamlNode& node) {
    if (!count_step()) return false;
    if (node.kind == NodeKind::kAlias) return begin_alias(node, /*merged_into=*/nullptr);
    if (node.kind == NodeKind::kScalar) return scalar(node, node);
    return open(node, nullptr, nullptr);
  }

  bool begin_merge(const YamlNode& node) {
    if (!count_step()) return false;
    Container* into = &open_.back();
    if (node.kind == NodeKind::kAlias) return begin_alias(node, into);
    return open(node, nullptr, into);
  }

  bool begin_alias(const YamlNode& alias, const Container* merged_into) {
    if (!active_aliases_.insert(&alias).second) {
      return fail("anchor '" + std::string(alias.value) + "' value contains itself");
    }
    ++alias_depth_;
    if (!count_step()) return false;
    if (alias.first->kind != NodeKind::kScalar) return open(*alias.first, &alias, merged_into);
    leave_alias(&alias);
    return scalar(*alias.first, alias);
  }

  void leave_alias(const YamlNode* alias) {
    if (alias == nullptr) return;
    active_aliases_.erase(alias);
    --alias_depth_;
  }

  bool open(const YamlNode& node, const YamlNode* alias, const Container* merged_into) {
    if (open_.size() >= kMaxJsonDepth) return fail("exceeded max depth of 10000");
    Container container;
    container.node = &node;
    container.next = node.first;
    container.is_merged = merged_into != nullptr;
    container.alias = alias;
    if (merged_into != nullptr) {
      container.tree = merged_into->tree;
      container.keys = merged_into->keys;
    } else if (node.kind == NodeKind::kMapping) {
      container.tree = Value::object(arena_);
      container.keys = &keys_.emplace_back();
    } else {
      container.tree = Value::array(arena_);
    }
    open_.push_back(std::move(container));
    return true;
  }

  bool finish() {
    const Container done = std::move(open_.back());
    open_.pop_back();
    leave_alias(done.alias);
    if (done.is_merged) return true;
    if (done.keys != nullptr) {
      keys_.pop_back();  // containers close in reverse order of opening
      Value tree = done.tree;
      tree.sort_members();
    }
    return deliver(done.tree, done.alias != nullptr ? *done.alias : *done.node);
  }

  bool plan_merge(Container& container, const YamlNode& value) {
    const auto is_mapping = [](const YamlNode& node) {
      return node.kind == NodeKind::kMapping ||
             (node.kind == NodeKind::kAlias && node.first->kind == NodeKind::kMapping);
    };
    constexpr std::string_view kWanted = "map merge requires map or sequence of maps as the value";
    if (is_mapping(value)) {
      container.merges.push_back(&value);
      return true;
    }
    if (value.kind != NodeKind::kSequence) return fail(kWanted);
    // The last is merged first, so that earlier ones win.
    for (const YamlNode* item = value.first; item != nullptr; item = item->next) {
      if (!is_mapping(*item)) return fail(kWanted);
      container.merges.push_back(item);
    }
    return true;
  }

  // `place` is the position of the scalar: an alias, or the scalar itself.
  bool scalar(const YamlNode& node, const YamlNode& place) {
    if (alias_depth_ > 0 || &node != &place) aliased_text_ += node.value.size();
    if (aliased_text_ > kMostAliasedText) return fail(kExcessiveAliasing);
    YamlResolution resolved{{}, node.value, {}};
    if (node.implicit || !node.tag.empty()) {
      resolved = resolve_yaml_tagged(node.tag, node.value, arena_);
      if (!resolved.error.empty()) return fail(resolved.error);
    }
    const bool is_key = !open_.empty() && open_.back().keys != nullptr && !open_.back().has_key;
    if (is_key) {
      take_key(open_.back(), resolved);
      return true;
    }
    return deliver(to_value(resolved), place);
  }

  Value to_value(const YamlResolution& resolved) {
    const YamlScalar& scalar = resolved.scalar;
    switch (scalar.kind) {
      case ScalarKind::kNull:
        return Value::null();
      case ScalarKind::kBool:
        return Value::boolean(scalar.boolean);
      case ScalarKind::kInt:
        return Value::integer(scalar.integer);
      case ScalarKind::kUint:
        return Value::number(arena_, static_cast<double>(scalar.natural),
                             arena_.copy(std::to_string(scalar.natural)));
      case ScalarKind::kFloat:
        if (std::isfinite(scalar.real)) return float_value(scalar.real, arena_);
        if (value_error_.empty()) {
          value_error_ = std::string("json: unsupported value: ") + (std::isnan(scalar.real) ? "NaN"
                                                                     : scalar.real > 0 ? "+Inf"
                                                                                       : "-Inf");
        }
        return Value::null();
      case ScalarKind::kString:
        return Value::string(resolved.text);
    }
    return Value::null();
  }

  void take_key(Container& mapping, const YamlResolution& resolved) {
    const YamlScalar& scalar = resolved.scalar;
    std::string text;
    char letter = 's';
    switch (scalar.kind) {
      case ScalarKind::kString:
        text = resolved.text;
        break;
      case ScalarKind::kBool:
        letter = 'b';
        text = scalar.boolean ? "true" : "false";
        break;
      case ScalarKind::kInt:
        letter = 'i';
        text = std::to_string(scalar.integer);
        break;
      case ScalarKind::kFloat:
        letter = 'f';
        text = std::isnan(scalar.real)   ? ".nan"
               : std::isinf(scalar.real) ? (scalar.real > 0 ? ".inf" : "-.inf")
                                         : go_g_float(scalar.real);
        break;
      case ScalarKind::kUint:
        letter = 'u';
        text = std::to_string(scalar.natural);
        break;
      case ScalarKind::kNull:
        letter = 'n';
        break;
    }
    mapping.has_key = true;
    mapping.key = arena_.copy(text);
    mapping.key_scalar = scalar;
    mapping.typed_key = letter + text;
  }

  // Returns the last key in Go's syntax.
  static std::string shown_key(const Container& mapping) {
    switch (mapping.key_scalar.kind) {
      case ScalarKind::kString:
        return go_quote(mapping.key);
      case ScalarKind::kUint:
        return go_hex(mapping.key_scalar.natural);
      case ScalarKind::kNull:
        return "<nil>";
      case ScalarKind::kBool:
      case ScalarKind::kInt:
      case ScalarKind::kFloat:
        break;
    }
    return std::string(mapping.key);
  }

  // Passes a finished value to the innermost open container, or makes it the result.
  bool deliver(Value value, const YamlNode& node) {
    if (open_.empty()) {
      result_.value = value;
      return true;
    }
    Container& container = open_.back();
    if (container.keys == nullptr) {
      container.tree.push_back(arena_, value);
      return true;
    }
    if (!container.has_key) return fail("invalid map key: " + go_syntax(value));
    container.has_key = false;
    if (!container.keys->insert(container.typed_key).second) {
      result_.duplicates.push_back("line " + std::to_string(node.line + 1) + ": key " +
                                   shown_key(container) + " already set in map");
    }
    // Valid keys in Go's maps, but not in JSON.
    const ScalarKind kind = container.key_scalar.kind;
    if ((kind == ScalarKind::kNull || kind == ScalarKind::kUint) && key_error_.empty()) {
      key_error_ = std::string("unsupported map key of type: ") +
                   (kind == ScalarKind::kNull ? "%!s(<nil>)" : "uint64") +
                   ", key: " + shown_key(container) + ", value: " + go_syntax(value);
    }
    container.tree.set(arena_, container.key, value);
    return true;
  }

  Arena& arena_;
  YamlDecoded& result_;
  std::vector<Container> open_;
  std::deque<Keys> keys_;
  std::set<const YamlNode*> active_aliases_;
  std::uint64_t steps_ = 0;
  std::uint64_t alias_steps_ = 0;
  std::size_t aliased_text_ = 0;
  int alias_depth_ = 0;
  std::string key_error_;    // from the conversion of YAML's maps to JSON's, which precedes
  std::string value_error_;  // this one, from writing the JSON
};

}  // namespace

YamlDecoded decode_yaml(const YamlNode& root, Arena& arena) {
  YamlDecoded result;
  Decoder(arena, result).run(root);
  return result;
}

}  // namespace tabernetes::codec
