// Compares rows of tables with the output of upstream's printers for the same objects.
#include <catch2/catch_test_macros.hpp>

#include "../../recordings.h"
#include "../../vectors.h"
#include "base/api/api_version.h"
#include "base/time/rfc3339.h"
#include "kinds/table/built_in_table.h"
#include "registry/table/table.h"

namespace tabernetes::registry {
namespace {

using json::Value;

TEST_CASE("table rows: cells and conditions are those of upstream's printers", "[registry]") {
  const tests::Vectors vectors("registry/vectors/table_rows.json");
  const Time now = *parse_rfc3339(vectors.root().string_at("now"));
  for (const Value& each : vectors.cases()) {
    INFO(each.string_at("name"));
    json::Arena arena;
    Value object = *each.find("object");
    const Value table =
        make_table(BuiltInTable(split_api_version(object.string_at("apiVersion")).group,
                                object.string_at("kind")),
                   json::Range<Value>(&object, 1), Value::object(arena), {}, now, arena);
    const Value& row = table.find("rows")->items()[0];
    for (const std::string_view member : {"cells", "conditions"}) {
      const Value *ours = row.find(member), *theirs = each.find("row")->find(member);
      REQUIRE((ours == nullptr) == (theirs == nullptr));
      if (ours != nullptr) CHECK(tests::to_text(*ours) == tests::to_text(*theirs));
    }
  }
}

}  // namespace
}  // namespace tabernetes::registry
