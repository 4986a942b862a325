// Errors in cel-go's cost tracking: it assumes certain argument types and panics on others; the
// panic becomes the error of the whole expression, which `||` does not absorb. Source: cel-go 0.26
// ext/lists.go (trackListSelfCompare, trackListFlatten), cel/program.go.
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

// Returns the Go type that represents a value in kube-apiserver.
std::string_view cel_go_type(const Value& value) {
  const bool of_schema = value.tree && value.type->kind != Kind::kDyn;
  switch (value.kind) {
    case Kind::kError:
      return "*types.Err";
    case Kind::kNull:
      return "types.Null";
    case Kind::kBool:
      return "types.Bool";
    case Kind::kInt:
      return "types.Int";
    case Kind::kUint:
      return "types.Uint";
    case Kind::kDouble:
      return "types.Double";
    case Kind::kString:
      return "types.String";
    case Kind::kBytes:
      return "types.Bytes";
    case Kind::kDuration:
      return "types.Duration";
    case Kind::kTimestamp:
      return "types.Timestamp";
    case Kind::kType:
      return "*types.Type";
    case Kind::kList:
      return of_schema ? "*common.unstructuredList" : "*types.baseList";
    case Kind::kMap:
      return of_schema ? "*common.unstructuredMap" : "*types.baseMap";
    case Kind::kOptional:
      return "*types.Optional";
    case Kind::kUrl:
      return "cel.URL";
    case Kind::kQuantity:
      return "cel.Quantity";
    case Kind::kIp:
      return "cel.IP";
    case Kind::kCidr:
      return "cel.CIDR";
    case Kind::kSemver:
      return "cel.Semver";
    case Kind::kFormat:
      return "cel.Format";
    case Kind::kAuthorizer:
      return "library.authorizerVal";
    case Kind::kPathCheck:
      return "library.pathCheckVal";
    case Kind::kGroupCheck:
      return "library.groupCheckVal";
    case Kind::kResourceCheck:
      return "library.resourceCheckVal";
    case Kind::kDecision:
      return "library.decisionVal";
    default:
      return "*common.unknownPreserved";
  }
}

// Returns the alphabetically first method of a list that such a value lacks.
std::string_view missing_of_list(const Value& value) {
  switch (value.kind) {
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kDuration:
    case Kind::kTimestamp:
      return "Contains";
    default:
      return "Add";
  }
}

std::string not_a_list(const Value& value) {
  std::string text = "internal error: interface conversion: ";
  text.append(cel_go_type(value)).append(" is not traits.Lister: missing method ");
  return text.append(missing_of_list(value));
}

std::string not_an_int(const Value& value) {
  std::string text = "internal error: interface conversion: ref.Val is ";
  return text.append(cel_go_type(value)).append(", not types.Int");
}

}  // namespace

std::string cost_fault(const Call& call) {
  const auto list_at = [&](std::uint32_t i) {
    return call.args[i].is(Kind::kList) ? std::string() : not_a_list(call.args[i]);
  };
  switch (call.function) {
    case F::kDistinct:
      return list_at(0);
    case F::kSort:
      return call.has_one_overload() ? list_at(0) : std::string();
    case F::kSortByKeys:
      return call.has_one_overload() ? list_at(1) : std::string();
    case F::kFlatten:
      if (call.count < 2 || call.args[1].is(Kind::kInt)) return {};
      return not_an_int(call.args[1]);
    default:
      return {};
  }
}

}  // namespace tabernetes::cel
