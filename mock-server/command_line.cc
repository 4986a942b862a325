// Reads the command line, then the file that --config names. CLI11 can read files by itself, but
// only those of a whole program, and forgets where in them a value stood.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "completion.h"
#include "config_file.h"
#include "serve_flags.h"
#include "text_file.h"

namespace tabernetes::host {
namespace {

constexpr const char* kVersion = "tabernetes " TABERNETES_VERSION " (Kubernetes 1.36)\n";

// CLI11 writes an empty value so.
constexpr std::string_view kEmpty = "{}";

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

// Returns the text of --help for a flag.
std::string help_of(const Flag& flag) {
  const std::string& usual = flag.otherwise.empty() ? flag.usual : flag.otherwise;
  return usual.empty() ? flag.help : flag.help + " (" + usual + ")";
}

bool is_bool(const Flag& flag) { return flag.value == "BOOL"; }

// Makes `app` parse `flag` into `flags`.
void add_flag(CLI::App& app, const Flag& flag, ServeFlags& flags) {
  const std::string name = "--" + flag.name;
  CLI::Option* option =
      app.add_option_function<std::vector<std::string>>(
             name,
             [name, &flag, &flags](const std::vector<std::string>& values) {
               bool first = true;
               for (const std::string& value : values) {
                 const bool empty = value.empty() || value == kEmpty;
                 const std::string read = !empty ? value : is_bool(flag) ? "true" : "";
                 const std::string fault = read_flag(flag, read, first, flags);
                 if (!fault.empty()) throw CLI::ValidationError(name, fault);
                 first = false;
               }
             },
             help_of(flag))
          ->type_name(flag.value)
          ->expected(is_bool(flag) || flag.may_be_empty ? 0 : 1, 1);
  if (flag.repeats) {
    option->take_all();
  } else {
    option->take_last();
  }
}

// Returns the flag that an entry of the file sets. Throws a ConfigError if there is none.
const Flag& flag_of(const ConfigEntry& entry) {
  if (entry.flag == "config") throw ConfigError(entry.place, "config: no file names another one");
  const Flag* flag = find_flag(entry.flag);
  if (flag == nullptr) {
    std::vector<std::string> known;
    for (const Flag& one : flag_table()) {
      if (one.name != "config") known.push_back(one.name);
    }
    throw ConfigError(entry.place, unknown_flag(entry.flag, known));
  }
  if (entry.is_list && !flag->repeats) {
    throw ConfigError(entry.place, entry.flag + ": takes a single value, not a list");
  }
  return *flag;
}

// Parses an entry of the file into `flags`. Throws a ConfigError with the value's place.
void apply_entry(const ConfigEntry& entry, const Flag& flag, ServeFlags& flags) {
  std::vector<ConfigValue> values = entry.values;
  if (values.empty()) values.push_back({"", entry.place});
  bool first = true;
  for (const ConfigValue& value : values) {
    const bool missing = value.text.empty() && !flag.may_be_empty;
    const std::string fault =
        missing ? "a value is needed" : read_flag(flag, value.text, first, flags);
    if (!fault.empty()) throw ConfigError(value.place, entry.flag + ": " + fault);
    first = false;
  }
}

// Sets what `text` says and the command line did not. Throws a ConfigError.
void apply_config(const std::string& text, const CLI::App& serve, ServeFlags& flags) {
  for (const ConfigEntry& entry : parse_config(text)) {
    const Flag& flag = flag_of(entry);
    // What the command line overrules has to be right, too.
    ServeFlags unused = flags;
    const bool overruled = serve.get_option("--" + entry.flag)->count() > 0;
    apply_entry(entry, flag, overruled ? unused : flags);
  }
}

// What is wrong with the file, if anything is.
std::optional<CommandLine> read_config(const CLI::App& serve, const std::string& command,
                                       ServeFlags& flags) {
  const std::string path = flags.config;
  const TextFile file = read_text_file(path);
  if (!file.problem.empty()) {
    CommandLine line;
    line.err = "tabernetes: " + file.problem + '\n';
    line.exit_code = 1;
    return line;
  }
  try {
    apply_config(file.text, serve, flags);
  } catch (const ConfigError& error) {
    return mistake(command, path + ':' + std::to_string(error.place().line) + ':' +
                                std::to_string(error.place().column) + ": " + error.what());
  }
  return std::nullopt;
}

struct DataCommandRow {
  const char* name;
  const char* from;
  const char* to;  // null: none
  const char* help;
};
constexpr DataCommandRow kDataCommands[] = {
    {"backup", "DIR", "FILE",
     "Copy the data of a --data-dir to a new file, also while it is served"},
    {"restore", "FILE", "DIR", "Make a data directory of a backup"},
    {"check-data", "DIR", nullptr, "Check the data of a directory"},
    {"envtest", "DIR", nullptr,
     "Make a folder of kube-apiserver and etcd for test kits, which are this program"},
};

// Adds the commands on data, which parse their arguments into `command`.
void add_data_commands(CLI::App& app, DataCommand& command) {
  for (const DataCommandRow& row : kDataCommands) {
    CLI::App& added = *app.add_subcommand(row.name, row.help);
    added.allow_extras();
    added.add_option(row.from, command.from)->required();
    if (row.to != nullptr) added.add_option(row.to, command.to)->required();
    added.callback([&command, name = row.name] { command.name = name; });
  }
}

// Returns the names of the commands, for completion.
std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// Prints how a command line may go on.
CommandLine complete(const CLI::App& app, int argc, const char* const* argv) {
  CommandLine line;
  for (const std::string& word : completions({argv + 2, argv + argc}, command_names(app))) {
    line.out += word + '\n';
  }
  return line;
}

CommandLine print_completion(const std::string& command, const std::string& shell) {
  const auto script = completion_script(shell);
  if (!script) return mistake(command, "SHELL: bash, fish or zsh, not " + shell);
  CommandLine line;
  line.out = *script;
  return line;
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CLI::App app("A Kubernetes API server in memory: the real API, without a cluster.", "tabernetes");
  app.set_help_flag("-h,--help", "Print this help");
  app.allow_extras();
  CLI::App& serve = *app.add_subcommand("serve", "Serve the API over HTTP");
  serve.allow_extras();
  ServeFlags flags = usual_flags();
  for (const Flag& flag : flag_table()) add_flag(serve, flag, flags);
  CLI::App& version = *app.add_subcommand("version", "Print the version");
  version.allow_extras();
  std::vector<std::string> files;
  CLI::App& check = *app.add_subcommand("check", "Check manifests as a server would, without one");
  check.add_option("FILE", files, "files or folders of YAML or JSON; - is standard input")
      ->required();
  DataCommand data;
  add_data_commands(app, data);
  std::string shell;
  CLI::App& completion = *app.add_subcommand("completion", "Print a script for bash, fish or zsh");
  completion.allow_extras();
  completion.add_option("SHELL", shell)->required();
  if (argc > 1 && std::string_view(argv[1]) == "__complete") return complete(app, argc, argv);

  const std::string command = "tabernetes";
  const auto of_command = [&]() -> std::string {
    const std::vector<CLI::App*> given = app.get_subcommands();
    return given.empty() ? command : command + " " + given.front()->get_name();
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
  if (check.parsed()) {
    line.check = std::move(files);
    return line;
  }
  if (completion.parsed()) return print_completion(of_command(), shell);
  if (!data.name.empty()) {
    line.data = std::move(data);
    return line;
  }
  if (!serve.parsed()) return mistake(command, "a command is needed: serve or version");
  if (!flags.config.empty()) {
    if (auto fault = read_config(serve, of_command(), flags)) return *fault;
  }
  const std::string problem = check_together(flags);
  if (!problem.empty()) return mistake(of_command(), problem);
  line.serve = std::move(flags);
  return line;
}

}  // namespace tabernetes::host
