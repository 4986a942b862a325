// The compact table that tools/catalogue/compile.mjs generates from the texts in catalogue/; its
// format is described there.
#pragma once

#include <cstddef>

namespace tabernetes::schema {

extern const std::size_t kCatalogueDataSize;
extern const unsigned char kCatalogueData[];

}  // namespace tabernetes::schema
