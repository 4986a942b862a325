#include <string>
#include <utility>

#include "base/algorithm/atomic_lazy.h"
#include "codec/openapi_texts.h"
#include "schema/openapi/descriptions.h"
#include "server/http/version.h"
#include "server/openapi/path.h"
#include "tabernetes/options.h"

namespace tabernetes {

using schema::openapi::Descriptions;

struct OpenApiTexts::Given {
  AtomicLazy<Descriptions> descriptions;
};

OpenApiTexts::OpenApiTexts() : given_(std::make_unique<Given>()) {}
OpenApiTexts::~OpenApiTexts() = default;

bool OpenApiTexts::lacks(std::string_view target) const {
  return !given_->descriptions.made() &&
         server::is_openapi_path(target.substr(0, target.find('?')));
}

Expected<void> OpenApiTexts::give(std::string_view file) const {
  const std::string version =
      std::string(server::kVersion.major) + "." + std::string(server::kVersion.minor);
  auto read = codec::read_openapi_texts(file, version);
  Expected<void> given;
  if (!read) given = Fault{std::move(read.error())};
  given_->descriptions.get_or_make([&] { return read ? std::move(*read) : Descriptions(); });
  return given;
}

void OpenApiTexts::give_none() const { (void)descriptions(); }

const Descriptions& OpenApiTexts::descriptions() const {
  return given_->descriptions.get_or_make([] { return Descriptions(); });
}

}  // namespace tabernetes
