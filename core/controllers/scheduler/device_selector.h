// The expressions by which device classes and requests select devices. Source: upstream 1.36
// dynamic-resource-allocation cel/compile.go.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "cel/program.h"
#include "json/value.h"

namespace tabernetes::controllers::scheduling {

// Compiles each expression once. Lives for one attempt to schedule a pod.
class DeviceSelectors {
 public:
  DeviceSelectors() = default;
  DeviceSelectors(const DeviceSelectors&) = delete;
  DeviceSelectors& operator=(const DeviceSelectors&) = delete;

  // Returns whether `expression` is true for a device of a slice. Errors: "CEL compile error: …",
  // "CEL runtime error: …".
  tl::expected<bool, std::string> match(std::string_view expression, const json::Value& device,
                                        std::string_view driver);

 private:
  using Compiled = tl::expected<cel::Program, std::string>;
  const Compiled& compiled(std::string_view expression);

  json::Arena arena_;  // of types and values
  const cel::Type* device_ = nullptr;
  std::map<std::string, Compiled, std::less<>> programs_;
};

}  // namespace tabernetes::controllers::scheduling
