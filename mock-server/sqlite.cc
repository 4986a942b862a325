#include "sqlite.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace tabernetes::host {
namespace {

// How long to wait for another process: one that makes a backup, or checks the data.
constexpr int kPatienceMilliseconds = 10'000;

// Creates the file with rights for its owner alone, which SQLite gives to its other files, too.
void create_private(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
}

}  // namespace

Sqlite::Sqlite(std::string path, Mode mode) : path_(std::move(path)) {
  if (mode == Mode::kCreate) create_private(path_);
  sqlite3* connection = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path_.c_str(), &connection, flags, nullptr);
  connection_.reset(connection);
  if (code != SQLITE_OK) fail();
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, kPatienceMilliseconds);
}

void Sqlite::run(const char* statements) {
  if (sqlite3_exec(connection_.get(), statements, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Sqlite::number(const char* query) {
  SqliteStatement statement(*this, query);
  return statement.step() ? statement.number(0) : 0;
}

void Sqlite::copy_to(Sqlite& other) {
  sqlite3_backup* const copy =
      sqlite3_backup_init(other.connection_.get(), "main", connection_.get(), "main");
  if (copy == nullptr) other.fail();
  sqlite3_backup_step(copy, -1);
  const int code = sqlite3_backup_finish(copy);
  if (code != SQLITE_OK) other.fail(sqlite3_errstr(code));
}

void Sqlite::fail() const {
  fail(connection_ ? sqlite3_errmsg(connection_.get()) : "out of memory");
}

void Sqlite::fail(std::string_view why) const {
  throw SqliteError(path_ + ": " + std::string(why));
}

SqliteStatement::SqliteStatement(Sqlite& database, std::string_view text) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v3(database.connection_.get(), text.data(), static_cast<int>(text.size()),
                         SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  statement_.reset(statement);
  check(code);
}

void SqliteStatement::check(int code) const {
  if (code != SQLITE_OK) database_.fail();
}

void SqliteStatement::bind(int place, std::int64_t number) {
  check(sqlite3_bind_int64(statement_.get(), place, number));
}

void SqliteStatement::bind(int place, std::string_view text) {
  check(sqlite3_bind_text64(statement_.get(), place, text.data(), text.size(), SQLITE_STATIC,
                            SQLITE_UTF8));
}

void SqliteStatement::bind_bytes(int place, std::string_view bytes) {
  check(sqlite3_bind_blob64(statement_.get(), place, bytes.data(), bytes.size(), SQLITE_STATIC));
}

void SqliteStatement::bind_null(int place) { check(sqlite3_bind_null(statement_.get(), place)); }

bool SqliteStatement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  // The message is lost by the reset of a statement that failed before.
  if (code != SQLITE_DONE) {
    const std::string why = sqlite3_errmsg(database_.connection_.get());
    reset();
    database_.fail(why);
  }
  reset();
  return false;
}

bool SqliteStatement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::string_view SqliteStatement::bytes(int column) const {
  const void* const data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

}  // namespace tabernetes::host
