// Signs the tokens that control loops make.
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::controllers {

class TokenSigner {
 public:
  // Returns a JSON web token with these claims.
  virtual std::string sign(const json::Value& claims) const = 0;

 protected:
  ~TokenSigner() = default;
};

}  // namespace tabernetes::controllers
