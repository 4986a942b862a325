#include "controllers/scheduler/resource_amounts.h"

#include <algorithm>
#include <limits>

#include "base/api/quantity.h"
#include "base/text/ascii.h"
#include "json/access.h"
#include "kinds/shared/resource_names.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;

constexpr std::int64_t kDefaultMilliCpu = 100;
constexpr std::int64_t kDefaultMemory = std::int64_t{200} << 20;

struct Unit {
  std::string_view suffix;
  std::int64_t factor;
};
constexpr Unit kUnits[] = {
    {"", 1},      {"Ki", 1 << 10},  {"Mi", 1 << 20},      {"Gi", 1 << 30},
    {"k", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000},
};

// Reads whole numbers with a common suffix, which nearly all quantities are.
bool read_simple(std::string_view text, bool milli, std::int64_t& result) {
  std::int64_t number = 0;
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) {
    number = number * 10 + (text[digits++] - '0');
    if (digits > 9) return false;
  }
  if (digits == 0) return false;
  const std::string_view suffix = text.substr(digits);
  if (suffix == "m") {
    result = milli ? number : (number + 999) / 1000;
    return true;
  }
  for (const Unit& unit : kUnits) {
    if (suffix != unit.suffix) continue;
    if (milli && unit.factor > 1'000'000) return false;
    result = number * unit.factor * (milli ? 1000 : 1);
    return true;
  }
  return false;
}

bool is_scalar_resource(std::string_view name) {
  return registry::kinds::is_extended_resource(name) || registry::kinds::is_huge_page(name) ||
         name.find("kubernetes.io/") != std::string_view::npos ||
         name.starts_with("attachable-volumes-");
}

std::int64_t& scalar_of(ResourceAmounts& amounts, std::string_view name) {
  const auto place = std::lower_bound(
      amounts.scalars.begin(), amounts.scalars.end(), name,
      [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
  if (place != amounts.scalars.end() && place->first == name) return place->second;
  return amounts.scalars.emplace(place, name, 0)->second;
}

// Calls `visit(amount, name, text)` with the place of each resource of the list in `amounts`.
template <typename Visit>
void each_resource(ResourceAmounts& amounts, const Value* list, const Visit& visit) {
  if (list == nullptr || !list->is_object()) return;
  for (const json::Member& member : list->members()) {
    const std::string text = json::scalar_text(&member.value);
    if (member.key == "cpu") {
      visit(amounts.milli_cpu, read_quantity(text, true));
    } else if (member.key == "memory") {
      visit(amounts.memory, read_quantity(text));
    } else if (member.key == "ephemeral-storage") {
      visit(amounts.ephemeral_storage, read_quantity(text));
    } else if (is_scalar_resource(member.key)) {
      visit(scalar_of(amounts, member.key), read_quantity(text));
    }
  }
}

const Value* requests_of(const Value& holder) { return holder.at({"resources", "requests"}); }

bool is_pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || registry::kinds::is_huge_page(name);
}

bool has_pod_level_requests(const Value& spec) {
  const Value* requests = requests_of(spec);
  if (requests == nullptr || !requests->is_object()) return false;
  return std::any_of(requests->members().begin(), requests->members().end(),
                     [](const json::Member& member) { return is_pod_level_resource(member.key); });
}

// What a container that does not say requests.
struct Assumed {
  std::int64_t milli_cpu = 0, memory = 0;
};

ResourceAmounts container_requests(const Value& container, const Assumed& assumed) {
  ResourceAmounts amounts;
  const Value* requests = requests_of(container);
  add_resource_list(amounts, requests);
  const auto lacks = [&](std::string_view name) {
    return requests == nullptr || requests->find(name) == nullptr;
  };
  if (assumed.milli_cpu != 0 && lacks("cpu")) amounts.milli_cpu = assumed.milli_cpu;
  if (assumed.memory != 0 && lacks("memory")) amounts.memory = assumed.memory;
  return amounts;
}

ResourceAmounts sum_requests(const Value& spec, const Assumed& assumed) {
  ResourceAmounts sum;
  for (const Value& container : json::items_in(spec, "containers")) {
    sum.add(container_requests(container, assumed));
  }
  ResourceAmounts sidecars;
  ResourceAmounts starting;
  for (const Value& container : json::items_in(spec, "initContainers")) {
    ResourceAmounts own = container_requests(container, assumed);
    if (container.string_at("restartPolicy") == "Always") {
      sum.add(own);
      sidecars.add(own);
      starting.raise_to(sidecars);
    } else {
      own.add(sidecars);
      starting.raise_to(own);
    }
  }
  sum.raise_to(starting);
  if (has_pod_level_requests(spec)) {
    each_resource(sum, requests_of(spec),
                  [](std::int64_t& place, std::int64_t amount) { place = amount; });
  }
  add_resource_list(sum, spec.find("overhead"));
  return sum;
}

}  // namespace

std::int64_t ResourceAmounts::scalar(std::string_view name) const {
  for (const auto& [key, amount] : scalars) {
    if (key == name) return amount;
  }
  return 0;
}

void ResourceAmounts::add(const ResourceAmounts& other, std::int64_t times) {
  milli_cpu += times * other.milli_cpu;
  memory += times * other.memory;
  ephemeral_storage += times * other.ephemeral_storage;
  for (const auto& [name, amount] : other.scalars) scalar_of(*this, name) += times * amount;
}

void ResourceAmounts::raise_to(const ResourceAmounts& other) {
  milli_cpu = std::max(milli_cpu, other.milli_cpu);
  memory = std::max(memory, other.memory);
  ephemeral_storage = std::max(ephemeral_storage, other.ephemeral_storage);
  for (const auto& [name, amount] : other.scalars) {
    std::int64_t& own = scalar_of(*this, name);
    own = std::max(own, amount);
  }
}

std::int64_t read_quantity(std::string_view text, bool milli) {
  std::int64_t result = 0;
  if (read_simple(text, milli, result)) return std::min(result, kMostAmount);
  std::string_view error;
  const std::optional<Quantity> quantity = Quantity::parse(text, error);
  if (!quantity) return 0;
  return std::clamp(milli ? quantity->milli_value() : quantity->value(), -kMostAmount, kMostAmount);
}

void add_resource_list(ResourceAmounts& amounts, const Value* list) {
  each_resource(amounts, list, [](std::int64_t& place, std::int64_t amount) { place += amount; });
}

PodRequests read_pod_requests(const Value& spec) {
  PodRequests requests;
  requests.amounts = sum_requests(spec, {});
  Assumed assumed{kDefaultMilliCpu, kDefaultMemory};
  if (has_pod_level_requests(spec)) {
    if (requests.amounts.milli_cpu != 0) assumed.milli_cpu = 0;
    if (requests.amounts.memory != 0) assumed.memory = 0;
  }
  const ResourceAmounts nonzero = sum_requests(spec, assumed);
  requests.nonzero_milli_cpu = nonzero.milli_cpu;
  requests.nonzero_memory = nonzero.memory;
  return requests;
}

}  // namespace tabernetes::controllers::scheduling
