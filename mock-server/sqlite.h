// SQLite's C interface with owners and exceptions.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tabernetes::host {

// "PATH: database or disk is full"
class SqliteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A connection. Everything throws a SqliteError. One thread at a time.
class Sqlite {
 public:
  // kCreate: the file may not exist yet, and is then for its owner alone.
  enum class Mode { kCreate, kExisting };
  Sqlite(std::string path, Mode mode);

  // Runs statements without results.
  void run(const char* statements);
  // Returns the first column of the first row as a number.
  std::int64_t number(const char* query);
  // Copies all content, as of one moment, to an empty database.
  void copy_to(Sqlite& other);

  const std::string& path() const { return path_; }
  [[noreturn]] void fail() const;
  [[noreturn]] void fail(std::string_view why) const;

 private:
  friend class SqliteStatement;
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> connection_;
};

// A statement, to be run any number of times: bind(), then step() until it returns false. Bound
// texts and bytes must live until then.
class SqliteStatement {
 public:
  // `database` outlives the statement.
  SqliteStatement(Sqlite& database, std::string_view text);

  void bind(int place, std::int64_t number);
  void bind(int place, std::string_view text);
  void bind_bytes(int place, std::string_view bytes);
  void bind_null(int place);

  // Returns whether there is a row. After false, the statement can be run again.
  bool step();
  // Runs a statement without rows.
  void run() {
    while (step()) {
    }
  }
  // Ends a run early.
  void reset() { sqlite3_reset(statement_.get()); }

  bool is_null(int column) const;
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  // Valid until the next step().
  std::string_view bytes(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  void check(int code) const;

  Sqlite& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace tabernetes::host
