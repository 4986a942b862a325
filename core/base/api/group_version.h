// Names of API types: group, version, kind, resource.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

struct GroupResource {
  std::string group;
  std::string resource;
  friend bool operator==(const GroupResource&, const GroupResource&) = default;
  // Returns "pods" or "deployments.apps".
  std::string to_string() const { return group.empty() ? resource : resource + "." + group; }
};

struct GroupVersion {
  std::string group;
  std::string version;
  friend bool operator==(const GroupVersion&, const GroupVersion&) = default;
  // Returns the apiVersion: "v1", "apps/v1".
  std::string to_string() const { return group.empty() ? version : group + "/" + version; }
};

struct GroupVersionKind {
  std::string group;
  std::string version;
  std::string kind;
  friend bool operator==(const GroupVersionKind&, const GroupVersionKind&) = default;
  GroupVersion group_version() const { return {group, version}; }
};

}  // namespace tabernetes
