// Reads the command line, then the file that --config names. CLI11 can read files by itself, but
// only those of a whole program, and forgets where in them a value stood.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "config_file.h"
#include "serve_flags.h"
#include "tabernetes/options.h"
#include "text_file.h"

namespace tabernetes::host {
namespace {

constexpr const char* kVersion = "tabernetes " TABERNETES_VERSION " (Kubernetes 1.36)\n";

// CLI11 writes an empty value so.
constexpr const char* kEmpty = "{}";

CommandLine mistake(const std::string& command, std::string message) {
  // One line, whatever the text says.
  std::replace(message.begin(), message.end(), '\n', ' ');
  CommandLine line;
  line.err = command + ": " + message + " (see " + command + " --help)\n";
  line.exit_code = 2;
  return line;
}

std::string describe_extra(const std::string& extra) {
  if (!extra.starts_with('-')) return "unexpected argument " + extra;
  return "unknown flag " + extra.substr(0, extra.find('='));
}

void give(CLI::Option& option, const std::vector<ConfigValue>& values) {
  for (const ConfigValue& value : values) {
    option.add_result(value.text.empty() ? kEmpty : value.text);
  }
  option.run_callback();
}

// A flag that may stand for "none", such as --cors-allowed-origins=.
bool may_be_empty(const CLI::Option& option) {
  return option.get_expected_min() == 0 && option.get_type_name() != "BOOL";
}

// Holds each value of `entry` to what its flag takes. Throws a ConfigError with the value's place.
void check_entry(const ConfigEntry& entry) {
  CLI::App app;
  app.set_help_flag();  // is no flag of a file
  ServeFlags flags;
  add_serve_flags(app, flags);
  CLI::Option* option = app.get_option_no_throw("--" + entry.flag);
  if (option == nullptr) {
    std::vector<std::string> known;
    for (const CLI::Option* one : app.get_options()) known.push_back(one->get_lnames().front());
    throw ConfigError(entry.place, unknown_flag(entry.flag, known));
  }
  if (entry.is_list && option->get_multi_option_policy() != CLI::MultiOptionPolicy::TakeAll) {
    throw ConfigError(entry.place, entry.flag + ": takes a single value, not a list");
  }
  if (entry.values.empty() && !may_be_empty(*option)) {
    throw ConfigError(entry.place, entry.flag + ": a value is needed");
  }
  for (const ConfigValue& value : entry.values) {
    if (value.text.empty() && !may_be_empty(*option)) {
      throw ConfigError(value.place, entry.flag + ": a value is needed");
    }
    option->clear();
    try {
      give(*option, {value});
    } catch (const CLI::ParseError& error) {
      throw ConfigError(value.place, std::string(error.what()).substr(2));  // without dashes
    }
  }
}

// Sets what `text` says and the command line did not. Throws a ConfigError.
void apply_config(const std::string& text, CLI::App& serve) {
  for (ConfigEntry& entry : parse_config(text)) {
    if (entry.flag == "config") throw ConfigError(entry.place, "config: no file names another one");
    check_entry(entry);
    CLI::Option& option = *serve.get_option("--" + entry.flag);
    if (option.count() > 0) continue;
    if (entry.values.empty()) entry.values.push_back({});
    try {
      give(option, entry.values);
    } catch (const CLI::ParseError& error) {
      throw ConfigError(entry.place, std::string(error.what()).substr(2));
    }
  }
}

// What is wrong with the file, if anything is.
std::optional<CommandLine> read_config(const std::string& path, CLI::App& serve,
                                       const std::string& command) {
  const TextFile file = read_text_file(path);
  if (!file.problem.empty()) {
    CommandLine line;
    line.err = "tabernetes: " + file.problem + '\n';
    line.exit_code = 1;
    return line;
  }
  try {
    apply_config(file.text, serve);
  } catch (const ConfigError& error) {
    return mistake(command, path + ':' + std::to_string(error.place().line) + ':' +
                                std::to_string(error.place().column) + ": " + error.what());
  }
  return std::nullopt;
}

// What is wrong with them together.
std::string check_together(const ServeFlags& flags) {
  if (flags.authorization == Authorization::kRbac && flags.token_auth_file.empty()) {
    return "--authorization-mode RBAC: --token-auth-file is needed, or nobody may do anything";
  }
  return {};
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CLI::App app("A Kubernetes API server in memory: the real API, without a cluster.", "tabernetes");
  app.set_help_flag("-h,--help", "Print this help");
  app.allow_extras();
  CLI::App& serve = *app.add_subcommand("serve", "Serve the API over HTTP");
  serve.allow_extras();
  ServeFlags flags;
  flags.controllers = *parse_controllers("*");
  std::string config;
  serve
      .add_option("--config", config,
                  "YAML: every flag by its name without dashes; the command line wins")
      ->type_name("FILE");
  add_serve_flags(serve, flags);
  CLI::App& version = *app.add_subcommand("version", "Print the version");
  version.allow_extras();

  const std::string command = "tabernetes";
  const auto of_command = [&]() -> std::string {
    return serve.parsed() ? command + " serve" : version.parsed() ? command + " version" : command;
  };
  CommandLine line;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.out = app.help();
    return line;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view what = error.what();
    return mistake(of_command(),
                   std::string(what.substr(0, what.find(':'))) + ": a value is needed");
  } catch (const CLI::ParseError& error) {
    return mistake(of_command(), error.what());
  }

  const std::vector<std::string> extras = app.remaining(true);
  if (!extras.empty()) return mistake(of_command(), describe_extra(extras.front()));
  if (version.parsed()) {
    line.out = kVersion;
    return line;
  }
  if (!serve.parsed()) return mistake(command, "a command is needed: serve or version");
  if (!config.empty()) {
    if (auto fault = read_config(config, serve, of_command())) return *fault;
  }
  const std::string problem = check_together(flags);
  if (!problem.empty()) return mistake(of_command(), problem);
  line.serve = std::move(flags);
  return line;
}

}  // namespace tabernetes::host
