#include "server/limits/shuffle_dealer.h"

#include <string>

#include "base/crypto/hash.h"

namespace tabernetes::server {

std::uint64_t flow_hash(std::string_view schema, std::string_view distinguisher) {
  std::string text(schema);
  text += '\0';
  text += distinguisher;
  const std::string digest = sha256(text);
  std::uint64_t hash = 0;
  for (int i = 7; i >= 0; --i) {
    hash = hash << 8 | static_cast<unsigned char>(digest[static_cast<std::size_t>(i)]);
  }
  return hash;
}

std::vector<int> deal_hand(std::uint64_t hash, int deck_size, int hand_size) {
  // The digits of the hash to descending bases, each of which counts among the cards left.
  std::vector<int> digits, hand;
  for (int i = 0; i < hand_size; ++i) {
    const auto left = static_cast<std::uint64_t>(deck_size - i);
    digits.push_back(static_cast<int>(hash % left));
    hash /= left;
  }
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int card = digits[i];
    for (std::size_t before = i; before > 0; --before) {
      if (card >= digits[before - 1]) ++card;
    }
    hand.push_back(card);
  }
  return hand;
}

}  // namespace tabernetes::server
