// The file of a data directory: an SQLite database with what a cluster has stored.
//
//   versions  a row for each version of each object that somebody may still ask for:
//     revision  the resourceVersion of the write
//     key       the core's key of the object
//     time      of the write, in nanoseconds since 1970
//     value     the core's bytes; null: the object was deleted
//     sum       CRC-32 of the value
//     replaced  the revision of the write that replaced or deleted this version; that of a deletion
//               is its own; null: the object has this version now
//   state     one row: the newest revision, the oldest one that can be asked for, time, and the
//             state of the random number generator
//
// A version whose `replaced` is not above state.oldest is of no use any more and will be deleted.
// The schema has a number (PRAGMA user_version); opening brings older files to the newest schema,
// and newer ones are refused. Everything throws a SqliteError.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sqlite.h"
#include "tabernetes/backend.h"

namespace tabernetes::host {

class DataFile {
 public:
  // Creates the file, or brings it to the newest schema, for a cluster to use; or opens an existing
  // one as it is, to be read.
  DataFile(const std::string& path, Sqlite::Mode mode);

  // Returns everything, or nullopt if nothing was ever stored. A value that does not have its sum
  // is returned empty.
  std::optional<store::Stored> read();

  // Stores a batch as one transaction. Stores nothing of it if it throws. REQUIRES: kCreate.
  void apply(const store::Batch& batch);

  struct Report {
    std::size_t objects = 0, versions = 0;
    std::uint64_t revision = 0;
    std::vector<std::string> problems;
  };
  // Checks the file as a whole and each value.
  Report check();

  Sqlite& database() { return database_; }

 private:
  void check_schema(Sqlite::Mode mode);
  void migrate();
  void write(const store::Batch& batch);
  void write_change(const store::Change& change, bool whole);
  void write_state(const store::Batch& batch);
  void check_versions(Report& report);

  Sqlite database_;
  std::optional<SqliteStatement> insert_, replace_, state_, trim_;
  std::string value_;  // of the change being written
};

// The file's name in its directory.
inline constexpr const char* kDataFile = "tabernetes.db";

}  // namespace tabernetes::host
