// The resources of a run: the model's knowledge about each, as data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::property {

struct Kind {
  std::string_view kind, api_version, plural;
  std::string_view resource;    // as conflicts name it: plural or plural.group
  std::string_view group_kind;  // as preconditions name it: Kind or Kind.group
  bool namespaced = true;
  bool cached = true;
  bool unconditional_update = true;
  bool create_on_update = false;
  bool graceful = false;
  std::string_view body;  // JSON members of a new object besides metadata
  // The field that the run changes, with its possible values (JSON); through `/status` if
  // `in_status`.
  std::string_view field;
  std::vector<std::string_view> values;
  bool in_status = false;
  std::vector<std::string_view> selectable;  // fields supported by selectors, metadata.name first

  bool is_selectable(std::string_view name) const;
  // Returns "/api/v1/namespaces/a/pods"; an empty `ns` means all namespaces.
  std::string collection(std::string_view ns) const;
  std::string watch_path(std::string_view ns) const;  // the deprecated form
  std::string item(std::string_view ns, std::string_view name) const {
    return collection(ns) + "/" + std::string(name);
  }

 private:
  std::string path(std::string_view before, std::string_view ns) const;
};

const std::vector<Kind>& kinds();

// Return the namespaces of a run, and names that sort around '/'.
const std::vector<std::string>& namespaces();
const std::vector<std::string>& names();

}  // namespace tabernetes::property
