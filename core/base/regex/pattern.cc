#include "base/regex/pattern.h"

#include <algorithm>
#include <utility>

#include "base/regex/pattern_parser.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace tabernetes {

namespace {

using Op = Pattern::Op;
using Instruction = Pattern::Instruction;
using Node = PatternNode;

constexpr std::size_t kMostInstructions = 20'000;

bool may_be_empty(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kRunes:
      return false;
    case Node::Kind::kAssertion:
      return true;
    case Node::Kind::kSequence:
      return std::all_of(node.children.begin(), node.children.end(), may_be_empty);
    case Node::Kind::kAlternatives:
      return std::any_of(node.children.begin(), node.children.end(), may_be_empty);
    case Node::Kind::kRepeat:
      return node.least == 0 || may_be_empty(node.children.front());
  }
  return false;
}

}  // namespace

// Compiles the tree into the program.
class PatternEmitter {
 public:
  explicit PatternEmitter(Pattern& pattern) : pattern_(pattern) {}

  void emit(const Node& node) {
    // Repeats of an empty group add steps but no instructions.
    if (++steps_ > 2 * kMostInstructions) return;
    switch (node.kind) {
      case Node::Kind::kRunes:
        emit_runes(node.runes);
        break;
      case Node::Kind::kAssertion:
        add({.op = node.assertion});
        break;
      case Node::Kind::kSequence:
        for (const Node& child : node.children) emit(child);
        break;
      case Node::Kind::kAlternatives:
        emit_alternatives(node.children);
        break;
      case Node::Kind::kRepeat:
        emit_repeat(node);
        break;
    }
  }

  std::uint32_t add(Instruction instruction) {
    pattern_.program_.push_back(instruction);
    return here() - 1;
  }

  bool too_large() const {
    return pattern_.program_.size() > kMostInstructions || steps_ > 2 * kMostInstructions;
  }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(pattern_.program_.size()); }

  void emit_runes(const std::vector<RuneRange>& runes) {
    const auto begin = static_cast<std::uint32_t>(pattern_.ranges_.size());
    pattern_.ranges_.insert(pattern_.ranges_.end(), runes.begin(), runes.end());
    add({Op::kRunes, begin, static_cast<std::uint32_t>(pattern_.ranges_.size())});
  }

  std::uint32_t split() { return add({Op::kSplit, here() + 1, 0}); }

  // Sets the exit of a split whose body ends here.
  void close(std::uint32_t split, bool lazy) {
    Instruction& instruction = pattern_.program_[split];
    instruction.or_else = here();
    if (lazy) std::swap(instruction.target, instruction.or_else);
  }

  void emit_alternatives(const std::vector<Node>& choices) {
    std::vector<std::uint32_t> jumps;
    for (std::size_t i = 0; i + 1 < choices.size(); ++i) {
      const std::uint32_t at = split();
      emit(choices[i]);
      jumps.push_back(add({.op = Op::kJump}));
      close(at, false);
    }
    emit(choices.back());
    for (const std::uint32_t jump : jumps) pattern_.program_[jump].target = here();
  }

  void emit_repeat(const Node& repeat) {
    if (repeat.most == Node::kEndless) return emit_endless(repeat);
    const Node& node = repeat.children.front();
    for (int i = 0; i < repeat.least && !too_large(); ++i) emit(node);
    std::vector<std::uint32_t> splits;
    for (int i = repeat.least; i < repeat.most && !too_large(); ++i) {
      splits.push_back(split());
      emit(node);
    }
    for (const std::uint32_t at : splits) close(at, repeat.lazy);
  }

  // Emits x* of an x that can be empty as (x+)?, so that an empty match is preferred to another
  // round. Go 1.25 regexp/syntax/compile.go, star.
  void emit_endless(const Node& repeat) {
    const Node& node = repeat.children.front();
    if (repeat.least == 0 && !may_be_empty(node)) {
      const std::uint32_t at = split();
      emit(node);
      add({Op::kJump, at, 0});
      return close(at, repeat.lazy);
    }
    for (int i = 1; i < repeat.least && !too_large(); ++i) emit(node);
    const bool optional = repeat.least == 0;
    const std::uint32_t skip = optional ? split() : 0;
    const std::uint32_t again = here();
    emit(node);
    const std::uint32_t at = split();
    pattern_.program_[at].target = again;
    close(at, repeat.lazy);
    if (optional) close(skip, repeat.lazy);
  }

  Pattern& pattern_;
  std::size_t steps_ = 0;
};

// One search: keeps, for each position of the text, the reached states in Perl's order of
// preference, each with the start of its match.
class PatternRun {
 public:
  PatternRun(const Pattern& pattern, std::string_view text)
      : pattern_(pattern), text_(text), seen_(pattern.program_.size(), kNever) {}

  std::optional<Pattern::Match> run(std::size_t from, bool any) {
    std::vector<State> now, next;
    std::optional<Pattern::Match> match;
    for (std::size_t place = from;;) {
      if (!match) add(now, {0, place}, place);  // a match may begin anywhere
      if (now.empty() && match) return match;
      const Rune rune = place < text_.size() ? decode_rune(text_.substr(place)) : Rune{};
      const std::size_t behind = place + rune.size;
      for (const State& state : now) {
        const Instruction& instruction = pattern_.program_[state.at];
        if (instruction.op == Op::kMatch) {
          match = Pattern::Match{state.begin, place};
          if (any) return match;
          break;  // the remaining states have lower priority
        }
        if (place < text_.size() && has(instruction, rune.value)) {
          add(next, {state.at + 1, state.begin}, behind);
        }
      }
      if (place >= text_.size()) return match;
      place = behind;
      now.swap(next);
      next.clear();
    }
  }

 private:
  struct State {
    std::uint32_t at;
    std::size_t begin;
  };
  static constexpr std::size_t kNever = ~std::size_t{0};

  bool has(const Instruction& instruction, char32_t rune) const {
    for (std::uint32_t i = instruction.target; i < instruction.or_else; ++i) {
      const RuneRange& range = pattern_.ranges_[i];
      if (rune >= range.first && rune <= range.last) return true;
    }
    return false;
  }

  // Adds `start` and every state reachable from it without reading a character. Only the first path
  // to an instruction counts at each position.
  void add(std::vector<State>& states, State start, std::size_t place) {
    pending_.push_back(start.at);
    while (!pending_.empty()) {
      const std::uint32_t at = pending_.back();
      pending_.pop_back();
      if (seen_[at] == place) continue;
      seen_[at] = place;
      const Instruction& instruction = pattern_.program_[at];
      switch (instruction.op) {
        case Op::kRunes:
        case Op::kMatch:
          states.push_back({at, start.begin});
          break;
        case Op::kJump:
          pending_.push_back(instruction.target);
          break;
        case Op::kSplit:
          pending_.push_back(instruction.or_else);
          pending_.push_back(instruction.target);
          break;
        default:
          if (holds(instruction.op, place)) pending_.push_back(at + 1);
      }
    }
  }

  bool holds(Op assertion, std::size_t place) const {
    const char before = place > 0 ? text_[place - 1] : '\n';
    const char after = place < text_.size() ? text_[place] : '\n';
    switch (assertion) {
      case Op::kBegin:
        return place == 0;
      case Op::kEnd:
        return place == text_.size();
      case Op::kLineBegin:
        return before == '\n';
      case Op::kLineEnd:
        return after == '\n';
      default:
        return (is_word_character(before) != is_word_character(after)) ==
               (assertion == Op::kWordBoundary);
    }
  }

  const Pattern& pattern_;
  std::string_view text_;
  // For each instruction, the last position at which it was reached.
  std::vector<std::size_t> seen_;
  std::vector<std::uint32_t> pending_;
};

tl::expected<Pattern, std::string> Pattern::compile(std::string_view text) {
  const auto tree = parse_pattern(text);
  if (!tree) return tl::make_unexpected(tree.error());
  Pattern pattern;
  PatternEmitter emitter(pattern);
  emitter.emit(*tree);
  emitter.add({.op = Op::kMatch});
  if (emitter.too_large()) {
    return tl::make_unexpected("error parsing regexp: expression too large: `" + std::string(text) +
                               "`");
  }
  return pattern;
}

bool Pattern::matches(std::string_view text) const {
  return PatternRun(*this, text).run(0, true).has_value();
}

std::optional<Pattern::Match> Pattern::find(std::string_view text, std::size_t from) const {
  return PatternRun(*this, text).run(from, false);
}

std::size_t Pattern::next_place(std::string_view text, std::size_t place) {
  return place < text.size() ? place + decode_rune(text.substr(place)).size : place + 1;
}

}  // namespace tabernetes
