// The compact table that tools/catalogue/compile.mjs makes of the texts in catalogue/; its format
// is described there.
#pragma once

#include <cstddef>

namespace tabernetes::schema {

extern const std::size_t kCatalogueDataSize;
extern const unsigned char kCatalogueData[];

}  // namespace tabernetes::schema
