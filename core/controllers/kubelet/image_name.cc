#include "controllers/kubelet/image_name.h"

#include "base/crypto/hash.h"

namespace tabernetes::controllers::kubelet {
namespace {

bool names_registry(std::string_view first_part) {
  return first_part == "localhost" || first_part.find_first_of(".:") != std::string_view::npos;
}

}  // namespace

std::string full_image_name(std::string_view image) {
  const std::size_t slash = image.find('/');
  std::string name;
  if (slash == std::string_view::npos) {
    name = "docker.io/library/";
  } else if (!names_registry(image.substr(0, slash))) {
    name = "docker.io/";
  }
  name += image;
  const std::size_t last = name.rfind('/');
  if (name.find_first_of(":@", last) == std::string::npos) name += ":latest";
  return name;
}

std::string image_id(std::string_view image) {
  std::string name = full_image_name(image);
  if (name.find('@') != std::string::npos) return name;
  return name.substr(0, name.rfind(':')) + "@sha256:" + sha256_hex(name);
}

std::int64_t image_size(std::string_view image) {
  const std::string digest = sha256(full_image_name(image));
  std::int64_t size = 0;
  for (int i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(digest[i]);
  return 20'000'000 + size % 160'000'000;
}

}  // namespace tabernetes::controllers::kubelet
