#include "schema/openapi/operations.h"

#include <algorithm>
#include <utility>

#include "base/algorithm/sort.h"
#include "base/text/ascii.h"

namespace tabernetes::schema::openapi {
namespace {

constexpr std::string_view kMethodNames[] = {"get",     "put",  "post", "delete",
                                             "options", "head", "patch"};

bool contains(const Parameters& parameters, const Parameter& parameter) {
  return std::find(parameters.begin(), parameters.end(), parameter) != parameters.end();
}

Parameters shared_parameters(const std::vector<Operation>& operations) {
  Parameters shared;
  for (const Parameter& parameter : operations.front().parameters) {
    const bool everywhere = std::all_of(
        operations.begin(), operations.end(),
        [&](const Operation& operation) { return contains(operation.parameters, parameter); });
    if (everywhere) shared.push_back(parameter);
  }
  return shared;
}

}  // namespace

PathItem arrange(std::vector<Operation> operations) {
  sort_stable(operations,
              [](const Operation& a, const Operation& b) { return a.method < b.method; });
  PathItem item{.operations = {}, .shared = shared_parameters(operations)};
  for (Operation& operation : operations) {
    std::erase_if(operation.parameters,
                  [&](const Parameter& parameter) { return contains(item.shared, parameter); });
    sort_by_name(operation.parameters);
  }
  sort_by_name(item.shared);
  item.operations = std::move(operations);
  return item;
}

std::vector<std::string_view> media_types(Media media, bool cbor, bool custom) {
  constexpr std::string_view kJson = "application/json";
  constexpr std::string_view kYaml = "application/yaml";
  constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";
  constexpr std::string_view kCbor = "application/cbor";
  std::vector<std::string_view> types;
  const auto add_cbor = [&](std::string_view type) {
    if (cbor) types.push_back(type);
  };
  switch (media) {
    case Media::kNone:
      break;
    case Media::kPlainObject:
      types = {kJson, kYaml, kProtobuf};
      break;
    case Media::kObject:
      types = {kJson, kYaml, kProtobuf};
      add_cbor(kCbor);
      break;
    case Media::kStream:
      types = {kJson, kYaml, kProtobuf};
      add_cbor(kCbor);
      types.push_back("application/json;stream=watch");
      types.push_back("application/vnd.kubernetes.protobuf;stream=watch");
      add_cbor("application/cbor-seq");
      break;
    case Media::kLog:
      types = {"text/plain", kJson, kYaml, kProtobuf};
      add_cbor(kCbor);
      break;
    case Media::kPatch:
      types = {"application/json-patch+json", "application/merge-patch+json",
               "application/strategic-merge-patch+json", "application/apply-patch+yaml"};
      add_cbor("application/apply-patch+cbor");
      break;
    case Media::kAnything:
      types = {"*/*"};
      break;
    case Media::kJson:
      types = {kJson};
      break;
    case Media::kKeySet:
      types = {"application/jwk-set+json"};
      break;
  }
  if (custom) {
    std::erase_if(types, [](std::string_view type) {
      return type.find("protobuf") != std::string_view::npos ||
             type.find("strategic") != std::string_view::npos ||
             type.find("stream=") != std::string_view::npos;
    });
  }
  return types;
}

std::string_view method_name(Method method) {
  return kMethodNames[static_cast<std::size_t>(method)];
}

std::string_view description_of(std::string_view code) {
  if (code == "200") return "OK";
  if (code == "201") return "Created";
  return "Accepted";
}

void write_unauthorized(JsonText& out) {
  out.raw_member("401", R"({"description":"Unauthorized"})");
}

std::string with_article(std::string_view kind) {
  constexpr std::string_view kVowels = "AEIOUaeiou";
  if (kind.ends_with("s") && !kind.ends_with("ss")) return std::string(kind);
  const bool vowel = !kind.empty() && kVowels.find(kind.front()) != std::string_view::npos;
  return std::string(vowel ? "an " : "a ").append(kind);
}

std::string operation_word(std::string_view text, bool capital) {
  std::string word;
  for (const char c : text) {
    if (!is_letter_or_digit(c)) {
      capital = true;
      continue;
    }
    word += capital ? ascii_upper(c) : c;
    capital = false;
  }
  return word;
}

}  // namespace tabernetes::schema::openapi
