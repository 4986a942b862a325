// What the readers of configurations of group apiserver.config.k8s.io share: the errors of fields,
// and the files that fields name.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "auth/strict_document.h"
#include "base/api/field_error.h"
#include "base/go/text.h"
#include "json/access.h"
#include "registry/kind/webhook_kubeconfig.h"

namespace tabernetes::auth {

class ConfigurationReader {
 protected:
  // REQUIRES: `files` outlives this object.
  explicit ConfigurationReader(const registry::Files& files) : files_(files) {}

  void fail(field::Error error) { errors_.push_back(std::move(error)); }
  // `value` is a text.
  void invalid(const field::Path& path, std::string_view value, std::string_view why) {
    fail(field::invalid(path, go_quote(value), why));
  }
  // Returns the text of the file that the field names, or null.
  const std::string* find_file(const field::Path& path, std::string_view file) {
    const auto found = files_.find(std::string(file));
    if (found != files_.end()) return &found->second;
    const std::string name(file);
    invalid(path, file, "error loading file: stat " + name + ": no such file or directory");
    return nullptr;
  }

  const registry::Files& files_;
  field::ErrorList errors_;
};

}  // namespace tabernetes::auth
