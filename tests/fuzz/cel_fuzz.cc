// Expressions, well-formed or not: a compiled one can be costed and evaluated within its limit,
// both deterministically. The input is an expression; the data it reads is fixed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cel/compile.h"
#include "codec/json_reader.h"

namespace {

using namespace tabernetes;

void require(bool holds) {
  if (!holds) std::abort();
}

constexpr std::string_view kSchema =
    R"({"type":"object","properties":{"s":{"type":"string"},"i":{"type":"integer"},)"
    R"("l":{"type":"array","items":{"type":"integer"}},"x":{"x-kubernetes-int-or-string":true},)"
    R"("m":{"type":"object","additionalProperties":{"type":"string"}},)"
    R"("k":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"],)"
    R"("items":{"type":"object","properties":{"n":{"type":"string"}}}},)"
    R"("t":{"type":"string","format":"date-time"},"d":{"type":"string","format":"duration"}}})";
constexpr std::string_view kSelf =
    R"({"s":"a\u00e4b","i":-7,"l":[3,1,2],"x":"50%","m":{"a":"1","b":"2"},)"
    R"("k":[{"n":"x"},{"n":"y"}],"t":"2024-02-29T12:34:56Z","d":"90m"})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  json::Arena arena;
  const cel::Type& type = *cel::schema_type(codec::read_json(kSchema, arena).value, true, arena);
  const json::Value self = codec::read_json(kSelf, arena).value;
  const cel::Variable variables[] = {{"self", &type}, {"oldSelf", cel::optional_of(type, arena)}};
  const auto program = cel::compile(source, variables);
  if (!program) {
    require(!program.error().empty());
    return 0;
  }
  const cel::Estimate estimate = program->estimate_cost(&type);
  require(estimate.max == program->estimate_cost(&type).max);
  if (!program->plan_error().empty()) return 0;
  constexpr std::uint64_t kLimit = 20'000;
  const cel::Value values[] = {cel::from_tree(self, type, arena), cel::make_optional(nullptr)};
  json::Arena first_arena, second_arena;
  const cel::Outcome first = program->evaluate(values, first_arena, kLimit);
  const cel::Outcome second = program->evaluate(values, second_arena, kLimit);
  require(first.cost == second.cost && first.is_error() == second.is_error());
  require(!first.is_error() || first.error() == second.error());
  return 0;
}
