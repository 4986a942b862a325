#include "controllers/scheduler/device_selector.h"

#include "cel/compile.h"
#include "cel/type.h"
#include "json/access.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;

constexpr std::string_view kCompileError = "CEL compile error: ";
constexpr std::string_view kRuntimeError = "CEL runtime error: ";

// What `device` is.
const cel::Type* device_type(json::Arena& arena) {
  const cel::Type& text = cel::simple_type(cel::Kind::kString);
  const auto by_domain = [&](cel::Kind kind) {
    return cel::map_of(text, *cel::map_of(text, cel::simple_type(kind), arena), arena);
  };
  return cel::struct_of({{"allowMultipleAllocations", "allowMultipleAllocations",
                          &cel::simple_type(cel::Kind::kBool)},
                         {"attributes", "attributes", by_domain(cel::Kind::kDyn)},
                         {"capacity", "capacity", by_domain(cel::Kind::kQuantity)},
                         {"driver", "driver", &text}},
                        arena);
}

// Returns the value of an attribute, which has one member: {"string":"a"}.
cel::Value attribute_value(const Value& attribute) {
  for (const json::Member& member : attribute.members()) {
    const Value& value = member.value;
    if (member.key == "bool" && value.is_bool()) return cel::make_bool(value.as_bool());
    if (member.key == "int" && value.is_int()) return cel::make_int(value.as_int());
    if (!value.is_string()) continue;
    if (member.key == "version") return cel::make_text(cel::Kind::kSemver, value.as_string());
    return cel::make_string(value.as_string());
  }
  return cel::Value(cel::Kind::kNull);
}

// Makes a map by domain and by name of members that are named "domain/name"; without a domain, it
// is the driver. Domains that are missing are empty.
template <typename Convert>
cel::Value by_domain(const Value& device, std::string_view member, std::string_view driver,
                     json::Arena& arena, const Convert& convert) {
  std::map<std::string_view, cel::Value> domains;
  for (const json::Member& each : json::members_at(device, {member})) {
    const std::size_t slash = each.key.find('/');
    const bool own = slash == std::string_view::npos;
    cel::Value& domain =
        domains.try_emplace(own ? driver : each.key.substr(0, slash), cel::make_map(arena))
            .first->second;
    cel::map_insert(domain, cel::make_string(own ? each.key : each.key.substr(slash + 1)),
                    convert(each.value), arena);
  }
  cel::Value all = cel::make_map(arena);
  for (const auto& [name, domain] : domains) {
    cel::map_insert(all, cel::make_string(name), domain, arena);
  }
  cel::map_set_default(all, cel::make_map(arena), arena);
  return all;
}

cel::Value device_value(const Value& device, std::string_view driver, json::Arena& arena) {
  cel::Value made = cel::make_map(arena);
  const auto set = [&](std::string_view name, const cel::Value& value) {
    cel::map_insert(made, cel::make_string(name), value, arena);
  };
  set("driver", cel::make_string(driver));
  set("allowMultipleAllocations",
      cel::make_bool(json::bool_at(device, {"allowMultipleAllocations"})));
  set("attributes", by_domain(device, "attributes", driver, arena, attribute_value));
  set("capacity", by_domain(device, "capacity", driver, arena, [](const Value& capacity) {
        return cel::make_text(cel::Kind::kQuantity, capacity.string_at("value"));
      }));
  return made;
}

}  // namespace

const DeviceSelectors::Compiled& DeviceSelectors::compiled(std::string_view expression) {
  const auto known = programs_.find(expression);
  if (known != programs_.end()) return known->second;
  if (device_ == nullptr) device_ = device_type(arena_);
  const cel::Variable variable{"device", device_};
  Compiled program = cel::compile(expression, std::span(&variable, 1));
  std::string fault;
  if (!program) {
    fault = "compilation failed: " + program.error();
  } else if (const cel::Kind kind = program->result_type().kind;
             kind != cel::Kind::kBool && kind != cel::Kind::kDyn) {
    fault = "must evaluate to bool or the unknown type, not " + to_string(program->result_type());
  } else if (!program->plan_error().empty()) {
    fault = "program instantiation failed: " + program->plan_error();
  }
  if (!fault.empty()) program = tl::unexpected(std::string(kCompileError) + fault);
  return programs_.emplace(expression, std::move(program)).first->second;
}

tl::expected<bool, std::string> DeviceSelectors::match(std::string_view expression,
                                                       const Value& device,
                                                       std::string_view driver) {
  const Compiled& program = compiled(expression);
  if (!program) return tl::unexpected(program.error());
  const cel::Value value = device_value(device, driver, arena_);
  const cel::Outcome outcome = program->evaluate(std::span(&value, 1), arena_);
  if (outcome.is_error()) {
    return tl::unexpected(std::string(kRuntimeError).append(outcome.error()));
  }
  if (!outcome.value.is(cel::Kind::kBool)) {
    const std::string type = to_string(cel::simple_type(outcome.value.kind));
    return tl::unexpected(std::string(kRuntimeError) + "CEL result of type " + type +
                          " could not be converted to bool: unsupported native conversion from " +
                          type + " to 'bool'");
  }
  return outcome.value.is_true();
}

}  // namespace tabernetes::controllers::scheduling
