// Reproduces the effects of the library's lazy decoding that clients can see: keys sorted in the
// objects it decoded, absent members equal to null, and all errors replaced by one general answer.
// Tested by tests/core/patch/json_patch_test.cc, tests/fuzz/json_patch_fuzz.cc.
#include "patch/json_patch.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <string_view>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "json/duplicates.h"
#include "json/encoded_size.h"
#include "json/type_name.h"
#include "patch/json_pointer.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Member;
using json::Value;

constexpr std::size_t kMaxStrictErrors = 100;

enum class Outcome { kApplied, kFailed, kCrashed };

// Compares the texts of scalars: 1 differs from 1.0.
bool equal_scalars(const Value& a, const Value& b) {
  if (a.type() != b.type()) return false;
  switch (a.type()) {
    case json::Type::kNull:
      return true;
    case json::Type::kBool:
      return a.as_bool() == b.as_bool();
    case json::Type::kInt:
      return a.as_int() == b.as_int();
    case json::Type::kString:
      return a.as_string() == b.as_string();
    case json::Type::kDouble: {
      const auto text = [](const Value& v) {
        return v.double_text().empty() ? go_json_float(v.as_double())
                                       : std::string(v.double_text());
      };
      return text(a) == text(b);
    }
    case json::Type::kArray:
    case json::Type::kObject:
      return false;
  }
  return false;
}

// Implements `test`. The library dereferences null if an item of the current array is null, or if
// the wanted item is null and the current is not. Adds the objects of `current` to `touched`.
Outcome compare(const Value& current, const Value& wanted, std::vector<Value>& touched) {
  struct Pair {
    Value current, wanted;
    bool in_array;
  };
  std::vector<Pair> open = {{current, wanted, false}};
  while (!open.empty()) {
    const Pair pair = open.back();
    open.pop_back();
    if (pair.in_array && (pair.current.is_null() || pair.wanted.is_null())) {
      return Outcome::kCrashed;
    }
    const bool is_container = pair.current.is_object() || pair.current.is_array();
    if (!is_container) {
      if (!equal_scalars(pair.current, pair.wanted)) return Outcome::kFailed;
      continue;
    }
    if (pair.current.type() != pair.wanted.type() || pair.current.size() != pair.wanted.size()) {
      return Outcome::kFailed;
    }
    if (pair.current.is_object()) touched.push_back(pair.current);
    // Pushed in reverse so that the first pair is compared first.
    for (std::uint32_t i = pair.current.size(); i-- > 0;) {
      if (pair.current.is_array()) {
        open.push_back({pair.current.items()[i], pair.wanted.items()[i], true});
        continue;
      }
      const Member& member = pair.current.members()[i];
      const Value* other = pair.wanted.find(member.key);
      if (other == nullptr) return Outcome::kFailed;
      open.push_back({member.value, *other, false});
    }
  }
  return Outcome::kApplied;
}

// Returns the string member `name`; nullopt if absent or not a string.
std::optional<std::string_view> text_of(const Value& operation, std::string_view name) {
  const Value* member = operation.find(name);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return member->as_string();
}

class Document {
 public:
  Document(const Value& target, Arena& arena) : root_(target.clone(arena)), arena_(arena) {}

  Outcome apply(const Value& operation) {
    const auto op = text_of(operation, "op");
    if (op == "add") return add(operation);
    if (op == "remove") return remove(operation);
    if (op == "replace") return replace(operation);
    if (op == "move") return move(operation);
    if (op == "copy") return copy(operation);
    if (op == "test") return test(operation);
    return failed({"Unexpected kind: ", op.value_or("")});
  }

  // Returns the library's words for why the last operation failed.
  const std::string& why() const { return why_; }

  Value finish() {
    sort_touched();
    return root_;
  }

 private:
  // Returns null if the operation has no value.
  Value value_of(const Value& operation) {
    const Value* value = operation.find("value");
    return value == nullptr ? Value::null() : value->clone(arena_);
  }

  std::optional<Place> place(const Value& operation, std::string_view member) {
    const auto pointer = text_of(operation, member);
    if (!pointer) return std::nullopt;
    return resolve_place(root_, *pointer, touched_);
  }

  // Returns the value at a place; null for an absent member, nullopt for an invalid index.
  static std::optional<Value> get(const Place& place) {
    if (place.container.is_object()) {
      const Value* value = place.container.find(place.token);
      return value == nullptr ? Value::null() : *value;
    }
    const auto i = resolve_index(place.token, place.container.size());
    if (!i) return std::nullopt;
    return place.container.items()[*i];
  }

  Outcome failed(std::initializer_list<std::string_view> words) {
    why_.clear();
    for (const std::string_view word : words) why_ += word;
    return Outcome::kFailed;
  }

  // Puts `prefix` before the reason, as the library wraps errors.
  Outcome wrapped(Outcome outcome, std::string_view prefix, std::string_view where) {
    if (outcome != Outcome::kFailed) return outcome;
    return failed({prefix, "'", where, "': ", std::string(why_)});
  }

  // The failure to find the place of member `path` or `from` of an operation.
  Outcome placeless(const Value& operation, std::string_view member, std::string_view missing) {
    const std::string_view op = text_of(operation, "op").value_or("");
    const auto pointer = text_of(operation, member);
    if (!pointer) return failed({op, " operation failed to decode ", member, ": missing value"});
    return failed({op, " operation does not apply: ", missing, *pointer,
                   missing.ends_with('"') ? "\"" : "", ": missing value"});
  }

  Outcome invalid_index(std::string_view token) {
    std::string_view digits = token;
    if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
    const bool number =
        !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (!number) return failed({"strconv.Atoi: parsing ", go_quote(token), ": invalid syntax"});
    return failed({"Unable to access invalid index: ", token, ": invalid index referenced"});
  }

  Outcome add_at(Place place, Value value) {
    if (place.container.is_object()) {
      place.container.set(arena_, arena_.copy(place.token), value);
      return Outcome::kApplied;
    }
    const std::uint32_t size = place.container.size();
    // One position more than there are items, so that -1 appends.
    const auto i = place.token == "-" ? size : resolve_index(place.token, size + 1);
    if (!i) {
      (void)invalid_index(place.token);
      if (!why_.starts_with("strconv")) return Outcome::kFailed;
      return failed(
          {"value was not a proper array index: '", place.token, "': ", std::string(why_)});
    }
    place.container.insert(arena_, *i, value);
    return Outcome::kApplied;
  }

  Outcome remove_at(Place place) {
    if (place.container.is_object()) {
      if (place.container.erase(place.token)) return Outcome::kApplied;
      return failed({"Unable to remove nonexistent key: ", place.token, ": missing value"});
    }
    const auto i = resolve_index(place.token, place.container.size());
    if (!i) return invalid_index(place.token);
    place.container.erase_item(*i);
    return Outcome::kApplied;
  }

  static std::string_view path_of(const Value& operation) {
    return text_of(operation, "path").value_or("");
  }

  Outcome add(const Value& operation) {
    const auto where = place(operation, "path");
    if (!where) return placeless(operation, "path", "doc is missing path: \"");
    return wrapped(add_at(*where, value_of(operation)),
                   "error in add for path: ", path_of(operation));
  }

  Outcome remove(const Value& operation) {
    const auto where = place(operation, "path");
    if (!where) return placeless(operation, "path", "doc is missing path: \"");
    return wrapped(remove_at(*where), "error in remove for path: ", path_of(operation));
  }

  Outcome replace(const Value& operation) {
    const Value value = value_of(operation);
    if (text_of(operation, "path") == "") {
      if (operation.find("value") == nullptr) return Outcome::kCrashed;
      if (!value.is_object() && !value.is_array()) {
        return failed({"replace operation value must be object or array: %!w(<nil>)"});
      }
      root_ = value;
      return Outcome::kApplied;
    }
    auto where = place(operation, "path");
    if (!where) return placeless(operation, "path", "doc is missing path: ");
    if (!get(*where)) return placeless(operation, "path", "doc is missing key: ");
    if (where->container.is_object()) return add_at(*where, value);
    where->container.items()[*resolve_index(where->token, where->container.size())] = value;
    return Outcome::kApplied;
  }

  Outcome move(const Value& operation) {
    const auto from = place(operation, "from");
    if (!from) return placeless(operation, "from", "doc is missing from path: ");
    const auto value = get(*from);
    const Outcome removed = value ? remove_at(*from) : invalid_index(from->token);
    if (removed != Outcome::kApplied) {
      return wrapped(removed, "error in move for path: ", from->token);
    }
    const auto where = place(operation, "path");
    if (!where) return placeless(operation, "path", "doc is missing destination path: ");
    return wrapped(add_at(*where, *value), "error in move for path: ", path_of(operation));
  }

  Outcome copy(const Value& operation) {
    const auto from = place(operation, "from");
    if (!from) return placeless(operation, "from", "doc is missing from path: ");
    const auto value = get(*from);
    if (!value) {
      return wrapped(invalid_index(from->token),
                     "error in copy for from: ", text_of(operation, "from").value_or(""));
    }
    const auto where = place(operation, "path");
    if (!where) return placeless(operation, "path", "doc is missing destination path: ");
    copied_bytes_ += value->is_null() ? 0 : json::encoded_size(*value);
    if (copied_bytes_ > kMaxJsonPatchCopyBytes) {
      return failed({"Unable to complete the copy, the accumulated size increase of copy is ",
                     std::to_string(copied_bytes_), ", exceeding the limit ",
                     std::to_string(kMaxJsonPatchCopyBytes)});
    }
    const Outcome added = add_at(*where, value->clone(arena_));
    if (added != Outcome::kFailed) return added;
    return failed({"error while adding value during copy: ", std::string(why_)});
  }

  Outcome test(const Value& operation) {
    const Value* wanted = operation.find("value");
    Outcome outcome = Outcome::kFailed;
    if (text_of(operation, "path") == "") {
      outcome = wanted == nullptr ? Outcome::kCrashed : compare(root_, *wanted, touched_);
    } else {
      const auto where = place(operation, "path");
      if (!where) return placeless(operation, "path", "is missing path: ");
      const auto current = get(*where);
      if (!current) {
        return wrapped(invalid_index(where->token), "error in test for path: ", path_of(operation));
      }
      outcome = compare(*current, wanted == nullptr ? Value::null() : *wanted, touched_);
    }
    if (outcome != Outcome::kFailed) return outcome;
    return failed({"testing value ", path_of(operation), " failed: test failed"});
  }

  void sort_touched() {
    if (root_.is_object()) touched_.push_back(root_);
    // An object is identified by the address of its members; each is sorted once.
    const auto members_of = [](const Value& object) {
      return reinterpret_cast<std::uintptr_t>(object.members().begin());
    };
    const auto by_place = [&members_of](const Value& a, const Value& b) {
      return members_of(a) < members_of(b);
    };
    const auto same = [&members_of](const Value& a, const Value& b) {
      return members_of(a) == members_of(b);
    };
    sort_stable(touched_, by_place);
    touched_.erase(std::unique(touched_.begin(), touched_.end(), same), touched_.end());
    for (Value& object : touched_) object.sort_members();
  }

  Value root_;
  Arena& arena_;
  std::vector<Value> touched_;  // objects that operations passed through
  std::size_t copied_bytes_ = 0;
  std::string why_;
};

Failure undecodable(const Value& value, std::string_view where) {
  return errors::bad_request("error decoding patch: json: cannot unmarshal " +
                             std::string(json::go_type_name(value)) + " into Go " +
                             std::string(where));
}

// Checks the types of members, like the pre-decode into handlers.jsonPatchOp.
Result<void> check_types(const Value& patch) {
  if (!patch.is_array()) return undecodable(patch, "value of type []handlers.jsonPatchOp");
  for (const Value& operation : patch.items()) {
    if (operation.is_null()) continue;
    if (!operation.is_object()) return undecodable(operation, "value of type handlers.jsonPatchOp");
    for (const Member& member : operation.members()) {
      const bool is_text = member.key == "op" || member.key == "path" || member.key == "from";
      if (is_text && !member.value.is_string() && !member.value.is_null()) {
        return undecodable(member.value, "struct field jsonPatchOp." + std::string(member.key) +
                                             " of type string");
      }
    }
  }
  return {};
}

// Checks only what the library itself needs.
Result<void> check_shape(const Value& patch) {
  const auto error = [](const Value& value, std::string_view type) {
    return errors::bad_request("json: cannot unmarshal " + std::string(json::go_type_name(value)) +
                               " into Go value of type " + std::string(type));
  };
  if (!patch.is_array()) return error(patch, "jsonpatch.Patch");
  for (const Value& operation : patch.items()) {
    if (!operation.is_null() && !operation.is_object()) {
      return error(operation, "jsonpatch.Operation");
    }
  }
  return {};
}

}  // namespace

Result<Value> apply_json_patch(const Value& target, const Value& patch, Arena& arena,
                               OperationTypes types, std::string* why) {
  if (patch.is_null()) return target.clone(arena);
  TAB_CHECK(types == OperationTypes::kChecked ? check_types(patch) : check_shape(patch));
  if (patch.size() > kMaxJsonPatchOperations) {
    return errors::request_entity_too_large("The allowed maximum operations in a JSON patch is " +
                                            std::to_string(kMaxJsonPatchOperations) + ", got " +
                                            std::to_string(patch.size()));
  }

  Document document(target, arena);
  for (const Value& operation : patch.items()) {
    switch (document.apply(operation)) {
      case Outcome::kApplied:
        break;
      case Outcome::kFailed:
        if (why != nullptr) *why = document.why();
        return errors::unprocessable({});
      case Outcome::kCrashed:
        return errors::internal_error("the JSON patch cannot be applied");
    }
  }
  return document.finish();
}

std::vector<std::string> json_patch_strict_errors(const Value& patch) {
  std::vector<std::string> found;
  if (!patch.is_array()) return found;
  for (std::uint32_t i = 0; i < patch.size() && found.size() < kMaxStrictErrors; ++i) {
    const Value& operation = patch.items()[i];
    if (!operation.is_object()) continue;
    const auto report = [&found, i](std::string_view defect, std::string_view key) {
      std::string text = "json patch " + std::string(defect) + " field \"[" + std::to_string(i) +
                         "]." + std::string(key) + "\"";
      const bool is_new = std::find(found.begin(), found.end(), text) == found.end();
      if (is_new && found.size() < kMaxStrictErrors) found.push_back(std::move(text));
    };
    std::set<std::string_view> seen;
    for (const Member& member : operation.members()) {
      const std::string_view key = member.key;
      const bool is_known = key == "op" || key == "path" || key == "from" || key == "value";
      if (!is_known) {
        report("unknown", key);
        continue;
      }
      if (!seen.insert(key).second) report("duplicate", key);
      if (key != "value") continue;
      for (const std::string& path :
           json::duplicate_paths(member.value, "value", kMaxStrictErrors)) {
        report("duplicate", path);
      }
    }
  }
  return found;
}

}  // namespace tabernetes::patch
