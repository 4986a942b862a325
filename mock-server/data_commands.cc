#include "data_commands.h"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "data_directory.h"
#include "data_file.h"

namespace tabernetes::host {
namespace {

void refuse_existing(const std::string& path) {
  if (std::filesystem::exists(path)) throw std::runtime_error(path + " exists already");
}

// Copies a database to `path`, where it appears when it is complete.
void copy(Sqlite& from, const std::string& path) {
  const std::string partial = path + ".partial";
  std::filesystem::remove(partial);
  try {
    Sqlite to(partial, Sqlite::Mode::kCreate);
    from.copy_to(to);
  } catch (const SqliteError&) {
    std::filesystem::remove(partial);
    throw;
  }
  std::filesystem::rename(partial, path);
}

// Prints what is wrong; returns the exit code.
int report_on(const std::string& name, const DataFile::Report& report) {
  for (const std::string& problem : report.problems) {
    std::fprintf(stderr, "tabernetes: %s: %s\n", name.c_str(), problem.c_str());
  }
  if (!report.problems.empty()) return 1;
  std::printf("%s: %zu objects in %zu versions up to resourceVersion %llu, all good\n",
              name.c_str(), report.objects, report.versions,
              static_cast<unsigned long long>(report.revision));
  return 0;
}

int backup_data(const std::string& directory, const std::string& file) {
  refuse_existing(file);
  DataFile data(data_file_in(directory), Sqlite::Mode::kExisting);
  copy(data.database(), file);
  return 0;
}

int restore_data(const std::string& file, const std::string& directory) {
  DataFile data(file, Sqlite::Mode::kExisting);
  const DataFile::Report report = data.check();
  if (!report.problems.empty()) return report_on(file, report);
  const DataDirectory own(directory);
  refuse_existing(own.file());
  copy(data.database(), own.file());
  return 0;
}

int check_data(const std::string& directory) {
  DataFile data(data_file_in(directory), Sqlite::Mode::kExisting);
  return report_on(directory, data.check());
}

}  // namespace

int run_data_command(const DataCommand& command) {
  try {
    if (command.name == "backup") return backup_data(command.from, command.to);
    if (command.name == "restore") return restore_data(command.from, command.to);
    return check_data(command.from);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tabernetes: %s\n", error.what());
    return 1;
  }
}

}  // namespace tabernetes::host
