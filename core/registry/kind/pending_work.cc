#include "registry/kind/pending_work.h"

#include <algorithm>

namespace tabernetes::registry {

void PendingWork::begin() {
  lacking_.clear();
  failure_.reset();
  provided_ = 0;
}

void PendingWork::clear() {
  begin();
  answers_.clear();
}

const PendingWork::Answer* PendingWork::ask(QuestionPtr question) {
  const auto known = answers_.find(Key(question->kind(), question->key()));
  if (known != answers_.end()) return &known->second;
  lacking_.push_back(std::move(question));
  return nullptr;
}

bool PendingWork::lacks(std::string_view kind) const {
  return std::any_of(lacking_.begin(), lacking_.end(),
                     [&](const QuestionPtr& question) { return question->kind() == kind; });
}

std::vector<PendingWork::QuestionPtr> PendingWork::take(std::string_view kind) {
  std::vector<QuestionPtr> taken;
  std::erase_if(lacking_, [&](QuestionPtr& question) {
    if (question->kind() != kind) return false;
    taken.push_back(std::move(question));
    return true;
  });
  return taken;
}

void PendingWork::answer(const Question& question, Answer answer) {
  answer.arrival = ++arrived_;
  answers_[Key(question.kind(), question.key())] = std::move(answer);
}

void PendingWork::fail(std::string message) {
  if (!failure_) failure_ = std::move(message);
}

Result<void> PendingWork::may_persist() const {
  if (incomplete()) return errors::plain_error("an answer that the request needs is not there yet");
  if (failure_) return errors::plain_error(*failure_);
  return {};
}

}  // namespace tabernetes::registry
