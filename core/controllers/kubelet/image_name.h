// Names of images, as a container runtime completes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tabernetes::controllers::kubelet {

// Returns "docker.io/library/nginx:latest" for "nginx".
std::string full_image_name(std::string_view image);
// Returns "docker.io/library/nginx@sha256:…"; the digest follows from the name.
std::string image_id(std::string_view image);
// Returns a size in bytes that follows from the name.
std::int64_t image_size(std::string_view image);

}  // namespace tabernetes::controllers::kubelet
