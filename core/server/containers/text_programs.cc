// Programs that write text: about the container, or about what they read.
#include <algorithm>

#include "base/algorithm/sort.h"
#include "base/text/ascii.h"
#include "base/time/calendar.h"
#include "base/time/rfc3339.h"
#include "server/containers/programs.h"

namespace tabernetes::server {
namespace {

using Words = std::vector<std::string>;

// Appends the character that an escape stands for; `text` begins after the backslash. Returns the
// length of the escape; 0: it is none. `octal`: the most digits of an octal number after a 0.
std::size_t read_escape(std::string_view text, std::size_t octal, std::string& out) {
  constexpr std::string_view kNames = "abefnrtv\\";
  constexpr std::string_view kCharacters = "\a\b\x1b\f\n\r\t\v\\";
  if (text.empty()) return 0;
  if (const std::size_t at = kNames.find(text[0]); at != kNames.npos) {
    out += kCharacters[at];
    return 1;
  }
  const bool hex = text[0] == 'x';
  std::size_t end = hex ? 1 : 0;
  const std::size_t most = hex ? 3 : text[0] == '0' ? octal : 3;
  int value = 0;
  while (end < std::min(most, text.size()) && (hex ? is_hex(text[end]) : is_octal(text[end]))) {
    value = value * (hex ? 16 : 8) + hex_value(text[end++]);
  }
  if (end == (hex ? 1U : 0U)) return 0;
  out += static_cast<char>(value);
  return end;
}

void run_echo(ProgramRun& run) {
  std::size_t first = 1;
  bool line = true, escapes = false;
  for (; first < run.words.size(); ++first) {
    const std::string& word = run.words[first];
    if (word != "-n" && word != "-e" && word != "-ne" && word != "-en") break;
    line = line && word.find('n') == std::string::npos;
    escapes = escapes || word.find('e') != std::string::npos;
  }
  std::string text;
  for (std::size_t i = first; i < run.words.size(); ++i) {
    text += (i == first ? "" : " ") + run.words[i];
  }
  const std::string_view all = text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t length = 0;
    if (escapes && all[i] == '\\') length = read_escape(all.substr(i + 1), 4, run.out);
    if (length == 0) run.out += all[i];
    i += length;
  }
  if (line) run.out += '\n';
}

// %s, %d, %% and escapes; the format is used again while words are left.
void run_printf(ProgramRun& run) {
  if (run.words.size() < 2) return run.fail(2, "printf: usage: printf FORMAT [ARGUMENT]...");
  const std::string_view format = run.words[1];
  std::size_t word = 2;
  do {
    const std::size_t before = word;
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (format[i] == '\\' && i + 1 < format.size()) {
        const std::size_t length = read_escape(format.substr(i + 1), 3, run.out);
        if (length == 0) run.out += format[i + 1];
        i += std::max<std::size_t>(1, length);
      } else if (format[i] == '%' && i + 1 < format.size()) {
        const char c = format[++i];
        if (c == '%') {
          run.out += '%';
        } else {
          run.out += word < run.words.size() ? run.words[word] : c == 'd' ? "0" : "";
          ++word;
        }
      } else {
        run.out += format[i];
      }
    }
    if (word == before) break;
  } while (word < run.words.size());
}

const std::string* variable(const ProgramRun& run, std::string_view name) {
  for (const auto& [key, value] : run.world.environment) {
    if (key == name) return &value;
  }
  return nullptr;
}

void run_env(ProgramRun& run) {
  for (const auto& [name, value] : run.world.environment) run.out += name + "=" + value + "\n";
}

void run_printenv(ProgramRun& run) {
  if (run.words.size() == 1) return run_env(run);
  for (std::size_t i = 1; i < run.words.size(); ++i) {
    const std::string* value = variable(run, run.words[i]);
    if (value == nullptr) {
      run.code = 1;
    } else {
      run.out += *value + "\n";
    }
  }
}

void run_hostname(ProgramRun& run) { run.out = run.world.hostname + "\n"; }

void run_whoami(ProgramRun& run) {
  if (!run.world.user.empty()) {
    run.out = run.world.user + "\n";
  } else {
    run.fail(1, "whoami: unknown uid " + std::to_string(run.world.uid));
  }
}

void run_id(ProgramRun& run) {
  const std::string uid = std::to_string(run.world.uid), gid = std::to_string(run.world.gid);
  if (has_option(run.words, 'u')) {
    run.out = uid + "\n";
  } else if (has_option(run.words, 'g')) {
    run.out = gid + "\n";
  } else {
    const std::string user = run.world.user.empty() ? "" : "(" + run.world.user + ")";
    const std::string group = run.world.gid == 0 ? "(root)" : "";
    run.out = "uid=" + uid + user + " gid=" + gid + group + " groups=" + gid + group + "\n";
  }
}

void run_pwd(ProgramRun& run) { run.out = (run.folder.empty() ? "/" : run.folder) + "\n"; }

constexpr std::string_view kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// In UTC: `Thu Jan  1 00:00:00 UTC 2026`, `+%s`, `-Iseconds`, or a format.
void run_date(ProgramRun& run) {
  const std::string text = format_rfc3339(run.now);  // 2026-01-01T00:00:00Z
  const std::int64_t days = run.now.unix_seconds() / 86400;
  const std::string_view day = kDays[static_cast<std::size_t>(((days % 7) + 11) % 7)];
  const auto month = static_cast<std::size_t>(number_in(text.substr(5, 2)).value_or(1) - 1);
  std::string of_month = text.substr(8, 2);
  if (of_month[0] == '0') of_month[0] = ' ';
  std::string format;
  for (std::size_t i = 1; i < run.words.size(); ++i) {
    if (run.words[i].starts_with("-I")) format = "%Y-%m-%dT%H:%M:%S+00:00";
    if (run.words[i].starts_with("+")) format = run.words[i].substr(1);
  }
  if (format.empty()) format = "%a %b %e %H:%M:%S UTC %Y";
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      run.out += format[i];
      continue;
    }
    switch (format[++i]) {
      case 'Y':
        run.out += text.substr(0, 4);
        break;
      case 'm':
        run.out += text.substr(5, 2);
        break;
      case 'd':
        run.out += text.substr(8, 2);
        break;
      case 'e':
        run.out += of_month;
        break;
      case 'H':
        run.out += text.substr(11, 2);
        break;
      case 'M':
        run.out += text.substr(14, 2);
        break;
      case 'S':
        run.out += text.substr(17, 2);
        break;
      case 'F':
        run.out += text.substr(0, 10);
        break;
      case 'T':
        run.out += text.substr(11, 8);
        break;
      case 's':
        run.out += std::to_string(run.now.unix_seconds());
        break;
      case 'a':
        run.out += day;
        break;
      case 'b':
        run.out += kMonths[month % 12];
        break;
      case 'Z':
        run.out += "UTC";
        break;
      default:
        run.out += format[i];
    }
  }
  run.out += '\n';
}

void run_uname(ProgramRun& run) {
  run.out = "Linux";
  if (has_option(run.words, 'a')) run.out += " " + run.world.hostname + " x86_64 Linux";
  if (has_option(run.words, 'n')) run.out = run.world.hostname;
  if (has_option(run.words, 'm')) run.out = "x86_64";
  run.out += "\n";
}

void run_ps(ProgramRun& run) {
  run.out = "PID   USER     TIME  COMMAND\n";
  const std::string user = run.world.user.empty() ? std::to_string(run.world.uid) : run.world.user;
  for (std::size_t i = 0; i < run.world.processes.size(); ++i) {
    std::string number = std::to_string(i + 1);
    number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
    std::string padded = user;
    padded.resize(std::max<std::size_t>(padded.size(), 8), ' ');
    run.out += number + " " + padded + "  0:00 " + run.world.processes[i] + "\n";
  }
}

void run_true(ProgramRun&) {}
void run_false(ProgramRun& run) { run.code = 1; }

void run_which(ProgramRun& run) {
  for (const std::string& name : operands(run.words)) {
    if (find_program(name) != nullptr) {
      run.out += "/bin/" + name + "\n";
    } else {
      run.code = 1;
    }
  }
}

// ---- what reads

bool reads_without_file(const Words& words) {
  const Words files = operands(words);
  return files.empty() || std::find(files.begin(), files.end(), "-") != files.end();
}
// The first operand is a pattern.
bool grep_reads(const Words& words) { return operands(words).size() < 2; }

// Returns the whole input: the files, or what is read. Complains about files that are not there.
std::string input_of(ProgramRun& run, const Words& files, std::string_view program) {
  if (files.empty()) return run.in;
  std::string all;
  for (const std::string& name : files) {
    if (name == "-" || name == "/dev/stdin") {
      all += run.in;
      continue;
    }
    const std::optional<File> file = run.world.files.find(run.path_of(name));
    if (file && file->kind == File::Kind::kFile) {
      all += file->text();
    } else if (name != "/dev/null") {
      run.fail_at(std::string(program) + ": can't open", name,
                  file ? "Is a directory" : "No such file or directory");
    }
  }
  return all;
}

void run_cat(ProgramRun& run) { run.out = input_of(run, operands(run.words), "cat"); }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

// The number of `-n 5`, `-n5`, `-5` or `-c 5`, and the words without it.
struct Count {
  std::int64_t number = 10;
  bool bytes = false, from_start = false;
  Words files;
};
Count count_of(const Words& words) {
  Count count;
  const auto set = [&](std::string_view text) {
    count.from_start = text.starts_with('+');
    if (const auto number = number_in(text)) {
      count.number = std::clamp<std::int64_t>(*number, 0, std::int64_t{1} << 30);
    }
  };
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with("-n") || word.starts_with("-c")) {
      count.bytes = word[1] == 'c';
      if (word.size() > 2) {
        set(std::string_view(word).substr(2));
      } else if (i + 1 < words.size()) {
        set(words[++i]);
      }
    } else if (word.size() > 1 && word[0] == '-' && word[1] >= '0' && word[1] <= '9') {
      set(std::string_view(word).substr(1));
    } else if (word.size() < 2 || word[0] != '-') {
      count.files.push_back(word);
    }
  }
  return count;
}
bool count_reads(const Words& words) { return count_of(words).files.empty(); }

void run_head(ProgramRun& run) {
  const Count count = count_of(run.words);
  const std::string text = input_of(run, count.files, "head");
  const auto number = static_cast<std::size_t>(count.number);
  if (count.bytes) {
    run.out = text.substr(0, number);
    return;
  }
  const std::vector<std::string_view> lines = lines_of(text);
  for (std::size_t i = 0; i < std::min(number, lines.size()); ++i) run.out += lines[i];
}

void run_tail(ProgramRun& run) {
  const Count count = count_of(run.words);
  const std::string text = input_of(run, count.files, "tail");
  const auto number = static_cast<std::size_t>(count.number);
  if (count.bytes) {
    run.out =
        text.substr(count.from_start ? std::min(text.size(), std::max<std::size_t>(number, 1) - 1)
                                     : text.size() - std::min(text.size(), number));
    return;
  }
  const std::vector<std::string_view> lines = lines_of(text);
  const std::size_t first = count.from_start ? std::max<std::size_t>(number, 1) - 1
                                             : lines.size() - std::min(lines.size(), number);
  for (std::size_t i = first; i < lines.size(); ++i) run.out += lines[i];
}

void run_wc(ProgramRun& run) {
  const Words files = operands(run.words);
  const std::string text = input_of(run, files, "wc");
  std::size_t words = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    words += !blank && !in_word ? 1 : 0;
    in_word = !blank;
  }
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const bool all =
      !has_option(run.words, 'l') && !has_option(run.words, 'w') && !has_option(run.words, 'c');
  const auto add = [&](char option, std::size_t number) {
    if (!all && !has_option(run.words, option)) return;
    run.out += (run.out.empty() ? "" : " ") + std::to_string(number);
  };
  add('l', lines);
  add('w', words);
  add('c', text.size());
  if (!files.empty()) run.out += " " + files.front();
  run.out += '\n';
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Looks for plain texts, without regular expressions.
void run_grep(ProgramRun& run) {
  Words words = operands(run.words);
  if (words.empty()) return run.fail(2, "grep: usage: grep [-ivcq] TEXT [FILE]...");
  const bool ignores_case = has_option(run.words, 'i');
  const std::string wanted = ignores_case ? lower(words[0]) : words[0];
  words.erase(words.begin());
  const std::string text = input_of(run, words, "grep");
  std::size_t found = 0;
  for (const std::string_view line : lines_of(text)) {
    const bool has =
        (ignores_case ? lower(line) : std::string(line)).find(wanted) != std::string::npos;
    if (has == has_option(run.words, 'v')) continue;
    ++found;
    if (has_option(run.words, 'q') || has_option(run.words, 'c')) continue;
    run.out += line;
    if (!line.ends_with('\n')) run.out += '\n';
  }
  if (has_option(run.words, 'c')) run.out = std::to_string(found) + "\n";
  if (run.code == 0) run.code = found == 0 ? 1 : 0;
}

void run_sort(ProgramRun& run) {
  const std::string text = input_of(run, operands(run.words), "sort");
  std::vector<std::string_view> lines = lines_of(text);
  sort_stable(lines);
  if (has_option(run.words, 'r')) std::reverse(lines.begin(), lines.end());
  if (has_option(run.words, 'u')) lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  for (const std::string_view line : lines) {
    run.out += line;
    if (!line.ends_with('\n')) run.out += '\n';
  }
}

}  // namespace

const std::vector<Program>& text_programs() {
  static const std::vector<Program> table = {
      {"echo", &run_echo},
      {"printf", &run_printf},
      {"env", &run_env},
      {"printenv", &run_printenv},
      {"hostname", &run_hostname},
      {"whoami", &run_whoami},
      {"id", &run_id},
      {"pwd", &run_pwd},
      {"date", &run_date},
      {"uname", &run_uname},
      {"ps", &run_ps},
      {"true", &run_true},
      {":", &run_true},
      {"false", &run_false},
      {"which", &run_which},
      {"cat", &run_cat, &reads_without_file},
      {"head", &run_head, &count_reads},
      {"tail", &run_tail, &count_reads},
      {"wc", &run_wc, &reads_without_file},
      {"grep", &run_grep, &grep_reads},
      {"sort", &run_sort, &reads_without_file},
  };
  return table;
}

}  // namespace tabernetes::server
