// The annotations of a request in its audit events, collected while it is answered.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "registry/kind/admission_steps.h"

namespace tabernetes::registry {

class AuditNotes {
 public:
  // The least level of events that show an annotation.
  enum class From { kMetadata, kRequest };
  struct Note {
    std::string value;
    From from = From::kMetadata;
  };

  // Adds an annotation. The first one with a key stays.
  void add(std::string key, std::string value, From from = From::kMetadata) {
    notes_.emplace(std::move(key), Note{std::move(value), from});
  }
  void clear() { notes_.clear(); }

  // Follows admission; null: nobody asks.
  AdmissionSteps* steps = nullptr;

  const std::map<std::string, Note>& all() const { return notes_; }

 private:
  std::map<std::string, Note> notes_;
};

}  // namespace tabernetes::registry
