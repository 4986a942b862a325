// The functions matches(), find() and findAll(). Source: cel-go 0.26 common/types/string.go;
// apiserver 1.36 pkg/cel/library/regex.go.
#include "base/regex/pattern.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

Value all_matches(const Call& call, const Pattern& pattern) {
  const std::string_view text = call.text(0);
  std::int64_t left = call.count == 3 ? call.args[2].integer : -1;
  Value found = make_list(call.arena);
  std::size_t from = 0;
  std::size_t last_end = std::string_view::npos;
  while (left != 0 && from <= text.size()) {
    const auto match = pattern.find(text, from);
    if (!match) break;
    // An empty match directly after another match does not count.
    if (match->begin != match->end || match->begin != last_end) {
      list_append(found, make_string(text.substr(match->begin, match->end - match->begin)),
                  call.arena);
      --left;
    }
    last_end = match->end;
    from = match->end > match->begin ? match->end : pattern.next_place(text, match->end);
  }
  return found;
}

Value run(const Call& call, const Pattern& pattern) {
  if (call.function == F::kMatches) return make_bool(pattern.matches(call.text(0)));
  if (call.function == F::kFindAll) return all_matches(call, pattern);
  const auto match = pattern.find(call.text(0), 0);
  if (!match) return make_string("");
  return make_string(call.text(0).substr(match->begin, match->end - match->begin));
}

}  // namespace

Value call_pattern(const Call& call) {
  const bool find_all = call.function == F::kFindAll;
  if (call.function != F::kMatches && call.function != F::kFind && !find_all) return not_mine();
  if (!call.is("ss") && !(find_all && call.is("ssi"))) return not_mine();
  if (call.expr.pattern != nullptr) return run(call, *call.expr.pattern);
  const auto pattern = Pattern::compile(call.text(1));
  if (pattern) return run(call, *pattern);
  return call.error((call.function == F::kMatches ? "" : "Illegal regex: ") + pattern.error());
}

}  // namespace tabernetes::cel
