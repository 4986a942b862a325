#include "data_file.h"

#include <zlib.h>

#include <array>
#include <string_view>

namespace tabernetes::host {
namespace {

constexpr std::int64_t kApplication = 0x7462'6e74;  // "tbnt": PRAGMA application_id

// The steps from one schema to the next. Never change one that was released: add another.
constexpr std::array kSteps = {
    R"(CREATE TABLE versions (
         revision INTEGER PRIMARY KEY,
         key TEXT NOT NULL,
         time INTEGER NOT NULL,
         value BLOB,
         sum INTEGER,
         replaced INTEGER);
       CREATE INDEX versions_replaced ON versions (replaced) WHERE replaced IS NOT NULL;
       CREATE TABLE state (
         one INTEGER PRIMARY KEY CHECK (one = 1),
         revision INTEGER NOT NULL,
         oldest INTEGER NOT NULL,
         clock INTEGER NOT NULL,
         random INTEGER);
       PRAGMA application_id = 1952607860;)",
};
static_assert(kApplication == 1952607860);

// At most so many versions of no use are deleted with a batch, so that no commit takes long.
constexpr std::int64_t kMostTrimmed = 2000;

std::int64_t sum_of(std::string_view value) {
  const auto* bytes = reinterpret_cast<const Bytef*>(value.data());
  return static_cast<std::int64_t>(::crc32_z(0, bytes, value.size()));
}

std::int64_t signed_of(std::uint64_t number) { return static_cast<std::int64_t>(number); }
std::uint64_t unsigned_of(std::int64_t number) { return static_cast<std::uint64_t>(number); }

}  // namespace

DataFile::DataFile(const std::string& path, Sqlite::Mode mode) : database_(path, mode) {
  check_schema(mode);
  if (mode == Sqlite::Mode::kExisting) return;
  database_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536");
  migrate();
  insert_.emplace(database_,
                  "INSERT INTO versions (revision, key, time, value, sum, replaced) "
                  "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  replace_.emplace(database_,
                   "UPDATE versions SET replaced = ?1 WHERE revision = ?2 AND replaced IS NULL");
  state_.emplace(database_,
                 "INSERT OR REPLACE INTO state (one, revision, oldest, clock, random) "
                 "VALUES (1, ?1, ?2, ?3, ?4)");
  trim_.emplace(database_,
                "DELETE FROM versions WHERE revision IN "
                "(SELECT revision FROM versions WHERE replaced <= ?1 LIMIT ?2)");
}

void DataFile::check_schema(Sqlite::Mode mode) {
  const std::int64_t schema = database_.number("PRAGMA user_version");
  const bool fresh = database_.number("SELECT count(*) FROM sqlite_schema") == 0;
  const bool ours = database_.number("PRAGMA application_id") == kApplication && schema > 0;
  if (!ours && !(fresh && mode == Sqlite::Mode::kCreate)) {
    database_.fail("this is not a file of tabernetes");
  }
  const std::int64_t newest = kSteps.size();
  if (schema > newest) {
    database_.fail("it has schema " + std::to_string(schema) + ", written by a newer tabernetes; " +
                   "this one knows schemas up to " + std::to_string(newest));
  }
}

void DataFile::migrate() {
  const std::int64_t schema = database_.number("PRAGMA user_version");
  for (std::size_t step = static_cast<std::size_t>(schema); step < kSteps.size(); ++step) {
    const std::string statements = std::string("BEGIN IMMEDIATE;") + kSteps[step] +
                                   "PRAGMA user_version = " + std::to_string(step + 1) + ";COMMIT";
    database_.run(statements.c_str());
  }
}

std::optional<store::Stored> DataFile::read() {
  SqliteStatement state(database_, "SELECT revision, oldest, clock, random FROM state");
  if (!state.step()) return std::nullopt;
  store::Stored stored;
  stored.revision = unsigned_of(state.number(0));
  stored.oldest = unsigned_of(state.number(1));
  stored.clock = Time{state.number(2)};
  if (!state.is_null(3)) stored.random = unsigned_of(state.number(3));
  state.reset();

  SqliteStatement versions(database_,
                           "SELECT revision, key, time, value, sum FROM versions "
                           "WHERE replaced IS NULL OR replaced > ?1 ORDER BY revision");
  versions.bind(1, signed_of(stored.oldest));
  while (versions.step()) {
    store::StoredChange& change = stored.changes.emplace_back();
    change.revision = unsigned_of(versions.number(0));
    change.key = versions.bytes(1);
    change.time = Time{versions.number(2)};
    if (versions.is_null(3)) continue;
    const std::string_view value = versions.bytes(3);
    change.value.emplace(sum_of(value) == versions.number(4) ? value : std::string_view());
  }
  return stored;
}

void DataFile::apply(const store::Batch& batch) {
  database_.run("BEGIN IMMEDIATE");
  try {
    write(batch);
    database_.run("COMMIT");
  } catch (const SqliteError&) {
    try {
      database_.run("ROLLBACK");
    } catch (const SqliteError&) {
      // SQLite has rolled back by itself.
    }
    throw;
  }
}

void DataFile::write(const store::Batch& batch) {
  if (batch.whole) database_.run("DELETE FROM versions");
  for (const store::Change& change : batch.changes) write_change(change, batch.whole);
  write_state(batch);
  trim_->bind(1, signed_of(batch.oldest));
  trim_->bind(2, kMostTrimmed);
  trim_->run();
}

void DataFile::write_change(const store::Change& change, bool whole) {
  const std::int64_t revision = signed_of(change.revision);
  if (!whole && change.replaces != 0) {
    replace_->bind(1, revision);
    replace_->bind(2, signed_of(change.replaces));
    replace_->run();
  }
  insert_->bind(1, revision);
  insert_->bind(2, std::string_view(change.key));
  insert_->bind(3, change.time.unix_nanoseconds);
  if (change.value) {
    value_ = change.value->flatten();
    insert_->bind_bytes(4, value_);
    insert_->bind(5, sum_of(value_));
    insert_->bind_null(6);
  } else {
    insert_->bind_null(4);
    insert_->bind_null(5);
    insert_->bind(6, revision);
  }
  insert_->run();
}

void DataFile::write_state(const store::Batch& batch) {
  state_->bind(1, signed_of(batch.revision));
  state_->bind(2, signed_of(batch.oldest));
  state_->bind(3, batch.clock.unix_nanoseconds);
  if (batch.random) {
    state_->bind(4, signed_of(*batch.random));
  } else {
    state_->bind_null(4);
  }
  state_->run();
}

DataFile::Report DataFile::check() {
  Report report;
  SqliteStatement whole(database_, "PRAGMA integrity_check");
  while (whole.step()) {
    if (whole.bytes(0) != "ok") report.problems.emplace_back(whole.bytes(0));
  }
  database_.run("BEGIN");  // all of the following sees one state
  report.revision = unsigned_of(database_.number("SELECT revision FROM state"));
  check_versions(report);
  database_.run("COMMIT");
  return report;
}

void DataFile::check_versions(Report& report) {
  SqliteStatement versions(database_, "SELECT revision, key, value, sum, replaced FROM versions");
  while (versions.step()) {
    ++report.versions;
    if (versions.is_null(4)) ++report.objects;
    const std::string name =
        std::string(versions.bytes(1)) + " at " + std::to_string(versions.number(0));
    if (!versions.is_null(2) && sum_of(versions.bytes(2)) != versions.number(3)) {
      report.problems.push_back(name + ": its bytes have changed since they were written");
    }
    if (unsigned_of(versions.number(0)) > report.revision) {
      report.problems.push_back(name + ": newer than the state");
    }
  }
  SqliteStatement twice(database_,
                        "SELECT key FROM versions WHERE replaced IS NULL "
                        "GROUP BY key HAVING count(*) > 1");
  while (twice.step()) {
    report.problems.push_back(std::string(twice.bytes(0)) + ": has two newest versions");
  }
  SqliteStatement lost(
      database_,
      "SELECT old.key, old.replaced FROM versions old "
      "LEFT JOIN versions new ON new.revision = old.replaced AND new.key = old.key "
      "WHERE old.replaced IS NOT NULL AND new.revision IS NULL "
      "AND old.replaced > (SELECT oldest FROM state)");
  while (lost.step()) {
    report.problems.push_back(std::string(lost.bytes(0)) + " at " + std::to_string(lost.number(1)) +
                              ": is missing");
  }
}

}  // namespace tabernetes::host
