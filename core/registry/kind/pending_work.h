// Answers from outside the server that a request waits for, such as those of webhooks.
//
// The writer never blocks. Work that needs such an answer calls ask(). If the answer is not known
// yet, the question is recorded, the work continues with a placeholder, and nothing is persisted:
// may_persist() is checked before each write. When the answers have arrived, the request is run
// again from the beginning, on the objects stored by then, until no answer is missing.
//
// An object belongs to one request (or one watch) and is passed as an argument. Without one, no
// question can be asked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/api/result.h"

namespace tabernetes::registry {

class PendingWork {
 public:
  struct Answer {
    std::string text;
    std::string error;        // the message of a Status, if there is no text
    std::size_t arrival = 0;  // which answer of the request it was: 1 for the first one
  };

  // A question. Each kind of question is a derived class with the data that its answerer needs.
  class Question {
   public:
    // `kind` identifies the answerer and must be static; `key` is unique among the questions of a
    // kind.
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

  // Starts a new attempt: forgets missing answers and the failure of the last one. Keeps answers.
  void begin();
  // Forgets everything.
  void clear();

  // Returns the answer to `question`; records the question and returns null if there is none yet.
  const Answer* ask(QuestionPtr question);
  // Return whether the attempt misses answers; of one kind.
  bool incomplete() const { return !lacking_.empty(); }
  bool lacks(std::string_view kind) const;
  // Moves out the questions of a kind whose answers are missing, in the order in which they were
  // asked. They no longer count as missing.
  std::vector<QuestionPtr> take(std::string_view kind);
  // The same with the questions of all kinds.
  std::vector<QuestionPtr> take_all() { return std::exchange(lacking_, {}); }
  // Drops all questions: the work is done, and their answers are not needed any more.
  void drop_questions() { lacking_.clear(); }

  void answer(const Question& question, Answer answer);

  // Notes that the attempt has made one object for the one that is written, such as its namespace.
  // It stays, and the next attempt finds it.
  void note_provided() { ++provided_; }
  // Returns how many objects the present attempt has made so.
  std::size_t provided() const { return provided_; }

  // Records that the attempt cannot succeed. The first failure is kept.
  void fail(std::string message);
  const std::optional<std::string>& failure() const { return failure_; }

  // Returns an error if an answer is missing or a failure was recorded. Callers must not persist
  // then.
  Result<void> may_persist() const;

 private:
  using Key = std::pair<std::string_view, std::string>;

  std::map<Key, Answer> answers_;
  std::size_t arrived_ = 0;
  std::vector<QuestionPtr> lacking_;
  std::optional<std::string> failure_;
  std::size_t provided_ = 0;
};

// Does the same; without a PendingWork (null) nothing can be missing.
inline Result<void> may_persist(const PendingWork* pending) {
  return pending == nullptr ? Result<void>() : pending->may_persist();
}

}  // namespace tabernetes::registry
