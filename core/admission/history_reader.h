// Reads on in the history of a store where it was read last.
#pragma once

#include <cstddef>

#include "store/history.h"

namespace tabernetes::admission {

class HistoryReader {
 public:
  // Calls `visit` with the events since the last call. Returns false without any if they are not
  // known: at first, and when the history has begun anew or was taken back. Then the state as it is
  // now must be read instead.
  template <typename Visit>
  bool follow(const store::History& history, Visit visit) {
    const bool known = !is_behind(history);
    if (known) {
      for (; seen_ < history.end(); ++seen_) visit(*history.at(seen_));
    }
    began_ = true;
    seen_ = history.end();
    if (seen_ > 0 && history.kept(seen_ - 1)) last_ = history.at(seen_ - 1)->revision;
    return known;
  }

 private:
  // Returns true if the events that were read are no longer those of the history.
  bool is_behind(const store::History& history) const {
    if (!began_ || !history.kept(seen_) || seen_ > history.end()) return true;
    return seen_ > 0 && history.kept(seen_ - 1) && history.at(seen_ - 1)->revision != last_;
  }

  std::size_t seen_ = 0;      // the position up to which the history was read
  store::Revision last_ = 0;  // of the last event that was read
  bool began_ = false;
};

}  // namespace tabernetes::admission
