#include "admission/policy_mutation.h"

#include <vector>

#include "cel/mutation.h"
#include "json/access.h"
#include "patch/json_patch.h"
#include "patch/typed.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/ownership/managed_fields.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::ResourceType;
using Applied = tl::expected<Value, std::string>;

tl::unexpected<std::string> unusable(std::string why) {
  return tl::make_unexpected(std::move(why));
}

// Finds the lists and maps of a configuration that have no parts with owners of their own: setting
// one would remove what is not named.
class AtomicFinder {
 public:
  std::string find(const patch::Shape& shape, const Value& value) {
    walk(shape, value, {});
    return std::move(found_);
  }

 private:
  void walk(const patch::Shape& shape, const Value& value, const std::string& path) {
    const bool container = value.is_object() || value.is_array();
    if (!container) return;
    if (!shape.is_map() && !shape.is_list()) {
      found_ += (found_.empty() ? "" : ", ") + path;
      return;
    }
    if (value.is_object() && shape.is_map()) {
      for (const json::Member& member : value.members()) {
        const auto inner = shape.member(member.key);
        if (inner && inner->declared) {
          walk(inner->shape, member.value, path + "." + std::string(member.key));
        }
      }
    }
    if (value.is_array() && shape.is_list()) {
      for (std::uint32_t i = 0; i < value.size(); ++i) {
        walk(shape.item(), value.items()[i], path + "[" + std::to_string(i) + "]");
      }
    }
  }

  std::string found_;
};

// Merges an apply configuration into the object.
Applied merged(const Value& configuration, const Value& object, const PolicyRequest& request,
               const ResourceType& type) {
  json::Arena& arena = request.arena();
  if (request.is_of_own_kind()) {
    return unusable("failed to convert patch object to typed object: no corresponding type for " +
                    std::string(object.string_at("apiVersion")) +
                    ", Kind=" + std::string(object.string_at("kind")));
  }
  Value wanted = Value::object(arena);
  wanted.append(arena, "apiVersion", *object.find("apiVersion"));
  wanted.append(arena, "kind", *object.find("kind"));
  for (const json::Member& member : configuration.members()) {
    if (member.key != "kind" && member.key != "apiVersion") {
      wanted.append(arena, member.key, member.value);
    }
  }
  const patch::Shape shape = type.behaviour->shape();
  std::string fault = patch::validate_typed(shape, wanted, patch::Duplicates::kRefused);
  if (!fault.empty()) {
    return unusable("failed to convert patch object to typed object: " + fault);
  }
  const std::string atomics = AtomicFinder().find(shape, wanted);
  if (!atomics.empty()) {
    return unusable("invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: " +
                    atomics);
  }
  return patch::merge_typed(shape, object, wanted, arena);
}

// Returns the operations that a list of JSONPatch messages stands for.
Applied operations_of(const cel::Value& list, json::Arena& arena) {
  Value operations = Value::array(arena);
  for (std::uint32_t i = 0; i < cel::list_size(list); ++i) {
    Applied given = cel::to_json(cel::list_item(list, i, arena), arena);
    if (!given) return given;
    Value operation = Value::object(arena);
    operation.append(arena, "op", Value::string(given->string_at("op")));
    operation.append(arena, "path", Value::string(given->string_at("path")));
    if (const std::string_view from = given->string_at("from"); !from.empty()) {
      operation.append(arena, "from", Value::string(from));
    }
    if (const Value* value = given->find("value")) operation.append(arena, "value", *value);
    operations.push_back(arena, operation);
  }
  return operations;
}

Result<Applied> patched(const cel::Value& list, const Value& object, const PolicyRequest& request,
                        const ResourceType& type) {
  json::Arena& arena = request.arena();
  const Applied operations = operations_of(list, arena);
  if (!operations) return Applied(operations);
  std::string why;
  auto result =
      patch::apply_json_patch(object, *operations, arena, patch::OperationTypes::kUnchecked, &why);
  if (!result) {
    // A patch whose test fails changes nothing.
    if (why.ends_with(": test failed")) return Applied(object);
    return Applied(unusable("JSON Patch: " + (why.empty() ? result.error().message : why)));
  }
  const schema::DecodeResult strict =
      request.is_of_own_kind() || !type.built_in()
          ? schema::DecodeResult{}
          : type.behaviour->decode(*result, arena, registry::DecodeFor::kObject);
  if (strict.error.empty() && !strict.strict_errors.empty()) {
    std::string text = "strict decoding error: ";
    for (const std::string& error : strict.strict_errors) {
      if (&error != &strict.strict_errors.front()) text += ", ";
      text += error;
    }
    return errors::internal_error(text);
  }
  TAB_TRY(Value decoded, request.decoded(*result, type));
  return Applied(decoded);
}

}  // namespace

Result<Applied> apply_mutation(const CompiledPolicy& policy, const PolicyExpression& mutation,
                               const PolicyInputs& inputs, const PolicyRequest& request,
                               const ResourceType& type) {
  Evaluation evaluation(&policy.variables(), inputs);
  Answer answer = evaluation.run(mutation);
  if (!answer.error.empty()) return Applied(unusable(std::move(answer.error)));
  Value result;
  if (mutation.item->string_at("patchType") == "JSONPatch") {
    TAB_TRY(const Applied made, patched(answer.value, inputs.object, request, type));
    if (!made) return made;
    result = *made;
  } else {
    const Applied configuration = cel::to_json(answer.value, request.arena());
    if (!configuration) return configuration;
    const Applied made = merged(*configuration, inputs.object, request, type);
    if (!made) return Applied(unusable("error applying patch: " + made.error()));
    TAB_TRY(result, request.decoded(*made, type));
  }
  // Upstream cannot convert the result back.
  if (&type != &request.request().type && type.built_in() && !request.is_of_own_kind()) {
    const auto name = [](const ResourceType& of) {
      return "(" + std::string(of.resource->version) + "." + std::string(of.resource->kind) + ")";
    };
    return Applied(unusable("converting " + name(type) + " to " + name(request.request().type) +
                            ": unknown conversion"));
  }
  request.set_defaults(result, type);
  return Applied(result);
}

}  // namespace tabernetes::admission
