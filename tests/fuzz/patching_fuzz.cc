// A choice of patch, a live object and a patch, each on a line: the result is a client error (or a
// 500 where the real server returns one), or an object that can be read, whose field owners can be
// listed, and that repeating the apply leaves unchanged.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "codec/json_reader.h"
#include "tabernetes/standalone.h"

namespace {

using namespace tabernetes;

// Aborts, so that libFuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

void require_status(const std::string& failure) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(failure, arena);
  require(read.ok() && read.value.string_at("kind") == "Status");
  const std::int64_t code = read.value.find("code")->as_int();
  require(code == 400 || code == 409 || code == 413 || code == 415 || code == 422 || code == 500);
}

void require_object(const std::string& object) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(object, arena);
  require(read.ok() && read.value.is_object());
  const auto owners = field_owners(object);
  if (!owners) require_status(owners.fault().status);
}

void patch(std::string_view live, std::string_view body, std::string_view media_type,
           UnknownFields unknown) {
  const auto patched =
      apply_patch(live, body, {.media_type = media_type, .manager = "fuzz", .unknown = unknown});
  patched ? require_object(patched->object) : require_status(patched.fault().status);
}

void apply(std::string_view live, std::string_view config, bool force) {
  const ApplyOptions options{.manager = "fuzz", .force = force};
  const auto once = server_side_apply(live, config, options);
  if (!once) {
    require_status(once.fault().status);
    require(once.fault().conflicts.empty() || !force);
    return;
  }
  require_object(once->object);
  // A null as the key of an item (`- port:`) differs from the 0 that is stored for it, so the item
  // is added again. Validation rejects such an object.
  if (once->object.find("\\\":null") != std::string::npos) return;
  const auto twice = server_side_apply(once->object, config, options);
  require(twice && twice->object == once->object);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t line_end = text.find('\n');
  if (line_end == std::string_view::npos) return 0;
  const std::string_view live = text.substr(0, line_end), body = text.substr(line_end + 1);
  const auto unknown = data[0] & 8 ? UnknownFields::kRefuse : UnknownFields::kDrop;
  switch (data[0] & 3) {
    case 0:
      patch(live, body, "application/json-patch+json", unknown);
      break;
    case 1:
      patch(live, body, "application/merge-patch+json", unknown);
      break;
    case 2:
      patch(live, body, "application/strategic-merge-patch+json", unknown);
      break;
    default:
      apply(live, body, (data[0] & 4) != 0);
  }
  return 0;
}
