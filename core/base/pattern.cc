#include "base/pattern.h"

#include <algorithm>
#include <utility>

#include "base/pattern_parser.h"

namespace tabernetes {
namespace {

using Op = Pattern::Op;
using Instruction = Pattern::Instruction;
using Node = PatternNode;

constexpr std::size_t kMostInstructions = 10'000;

// tree → program
class Emitter {
 public:
  void emit(const Node& node) {
    if (++steps_ > 2 * kMostInstructions) return;  // an empty group repeated adds nothing
    switch (node.kind) {
      case Node::Kind::kBytes:
        add({.op = Op::kBytes, .bytes = node.bytes});
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
        emit_repeat(node.children.front(), node.least, node.most);
        break;
    }
  }

  std::size_t add(Instruction instruction) {
    program.push_back(instruction);
    return program.size() - 1;
  }

  bool too_large() const {
    return program.size() > kMostInstructions || steps_ > 2 * kMostInstructions;
  }

  std::vector<Instruction> program;

 private:
  void emit_alternatives(const std::vector<Node>& choices) {
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i + 1 < choices.size(); ++i) {
      const std::size_t split = add({.op = Op::kSplit, .target = program.size() + 1});
      emit(choices[i]);
      jumps.push_back(add({.op = Op::kJump}));
      program[split].or_else = program.size();
    }
    emit(choices.back());
    for (const std::size_t jump : jumps) program[jump].target = program.size();
  }

  void emit_repeat(const Node& node, int least, int most) {
    for (int i = 0; i < least && !too_large(); ++i) emit(node);
    std::vector<std::size_t> splits;
    if (most == Node::kEndless) {
      const std::size_t split = add({.op = Op::kSplit, .target = program.size() + 1});
      emit(node);
      add({.op = Op::kJump, .target = split});
      program[split].or_else = program.size();
      return;
    }
    for (int i = least; i < most && !too_large(); ++i) {
      splits.push_back(add({.op = Op::kSplit, .target = program.size() + 1}));
      emit(node);
    }
    for (const std::size_t split : splits) program[split].or_else = program.size();
  }

  std::size_t steps_ = 0;
};

// The instructions that a text has reached at one place, each once.
class States {
 public:
  States(const std::vector<Instruction>& program, std::string_view text)
      : program_(&program), text_(text), seen_(program.size()) {}

  const std::vector<std::size_t>& reading() const { return reading_; }
  bool matched() const { return matched_; }

  void clear() {
    reading_.clear();
    std::fill(seen_.begin(), seen_.end(), false);
  }

  // Adds `start` and all that is reached from it without reading.
  void add(std::size_t start, std::size_t place) {
    pending_.push_back(start);
    while (!pending_.empty()) {
      const std::size_t at = pending_.back();
      pending_.pop_back();
      if (seen_[at]) continue;
      seen_[at] = true;
      const Instruction& instruction = (*program_)[at];
      switch (instruction.op) {
        case Op::kBytes:
          reading_.push_back(at);
          break;
        case Op::kMatch:
          matched_ = true;
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

 private:
  bool holds(Op assertion, std::size_t place) const {
    if (assertion == Op::kBegin) return place == 0;
    if (assertion == Op::kEnd) return place == text_.size();
    const bool before = place > 0 && is_word_byte(static_cast<unsigned char>(text_[place - 1]));
    const bool after =
        place < text_.size() && is_word_byte(static_cast<unsigned char>(text_[place]));
    return (before != after) == (assertion == Op::kWordBoundary);
  }

  const std::vector<Instruction>* program_;
  std::string_view text_;
  std::vector<bool> seen_;
  std::vector<std::size_t> reading_, pending_;
  bool matched_ = false;
};

}  // namespace

tl::expected<Pattern, std::string> Pattern::compile(std::string_view text) {
  TAB_TRY(const Node tree, parse_pattern(text));
  Emitter emitter;
  emitter.emit(tree);
  emitter.add({.op = Op::kMatch});
  if (emitter.too_large()) {
    return tl::make_unexpected("error parsing regexp: expression too large: `" + std::string(text) +
                               "`");
  }
  return Pattern(std::move(emitter.program));
}

bool Pattern::matches(std::string_view text) const {
  States now(program_, text);
  States next(program_, text);
  for (std::size_t place = 0;; ++place) {
    now.add(0, place);  // a match may begin anywhere
    if (now.matched()) return true;
    if (place == text.size()) return false;
    next.clear();
    const auto byte = static_cast<unsigned char>(text[place]);
    for (const std::size_t at : now.reading()) {
      if (program_[at].bytes.test(byte)) next.add(at + 1, place + 1);
    }
    std::swap(now, next);
  }
}

}  // namespace tabernetes
