// Answers that a request waits for: those of webhooks, of whoever makes a write durable.
//
// The writer waits for nobody. Work that needs an answer from elsewhere asks for it here. If it is
// not known yet, the question is noted, the work goes on with whatever it has instead, and nothing
// of it is persisted: before each write, may_persist() is asked. Once the questions are answered,
// the request is done again from its beginning, on what is stored by then, until it lacks nothing.
//
// One object belongs to one request (or to one watch) and is handed down as an argument. Where
// there is none, nobody can be asked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tabernetes::registry {

class PendingWork {
 public:
  struct Answer {
    std::string text;
    std::string error;  // why there is none: the message of a Status
  };

  // Something to be asked. Each kind of question is a class of its own, with what its answerer
  // needs.
  class Question {
   public:
    // `kind` says who answers, and is static; `key` names the question among those of its kind.
    Question(std::string_view kind, std::string key) : kind_(kind), key_(std::move(key)) {}
    virtual ~Question() = default;
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

    std::string_view kind() const { return kind_; }
    const std::string& key() const { return key_; }

   private:
    std::string_view kind_;
    std::string key_;
  };
  using QuestionPtr = std::unique_ptr<const Question>;

  // Begins the work anew: forgets what the last attempt lacked, and its failure. Answers stay.
  void begin();
  // Forgets everything.
  void clear();

  // Returns the answer to `question`; null if it is not known yet, which is noted.
  const Answer* ask(QuestionPtr question);
  // Returns whether the attempt lacks answers; of one kind.
  bool incomplete() const { return !lacking_.empty(); }
  bool lacks(std::string_view kind) const;
  // Hands over the questions of a kind that the attempt lacks answers to, in the order in which
  // they came up. They count as lacking no longer.
  std::vector<QuestionPtr> take(std::string_view kind);
  // Takes back all questions: the work is done, and what it lacked does not matter any more.
  void drop_questions() { lacking_.clear(); }

  void answer(const Question& question, Answer answer);

  // Notes that the attempt cannot succeed; the first failure counts.
  void fail(std::string message);
  const std::optional<std::string>& failure() const { return failure_; }

  // Returns an error if an answer is lacking or a failure was noted. Callers must not persist then.
  Result<void> may_persist() const;

 private:
  using Key = std::pair<std::string_view, std::string>;

  std::map<Key, Answer> answers_;
  std::vector<QuestionPtr> lacking_;
  std::optional<std::string> failure_;
};

// The same where nobody may be there to be asked.
inline Result<void> may_persist(const PendingWork* pending) {
  return pending == nullptr ? Result<void>() : pending->may_persist();
}

}  // namespace tabernetes::registry
