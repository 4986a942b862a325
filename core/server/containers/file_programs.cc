// Programs that work on files, `tar` among them.
#include <algorithm>

#include "base/time/rfc3339.h"
#include "server/containers/programs.h"
#include "server/containers/tar.h"

namespace tabernetes::server {
namespace {

using Words = std::vector<std::string>;

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string mode_text(const File& file) {
  std::string text = file.kind == File::Kind::kFolder ? "d"
                     : file.kind == File::Kind::kLink ? "l"
                                                      : "-";
  for (int bit = 8; bit >= 0; --bit)
    text += (file.mode >> bit & 1) != 0 ? "rwx"[(8 - bit) % 3] : '-';
  return text;
}

void list_entry(ProgramRun& run, const std::string& path, const std::string& name) {
  if (!has_option(run.words, 'l')) {
    run.out += name + "\n";
    return;
  }
  const std::optional<File> file = run.world.files.find(path);
  const File shown = file.value_or(File{});
  std::string size = std::to_string(shown.kind == File::Kind::kFolder ? 4096 : shown.text().size());
  size.insert(0, size.size() < 9 ? 9 - size.size() : 0, ' ');
  run.out += mode_text(shown) + "    1 root     root     " + size + " " +
             format_rfc3339(shown.changed).substr(0, 16) + " " + name + "\n";
}

void run_ls(ProgramRun& run) {
  Words paths = operands(run.words);
  if (paths.empty()) paths.emplace_back(".");
  const bool many = paths.size() > 1;
  for (const std::string& word : paths) {
    const std::string path = run.path_of(word);
    if (!run.world.files.find(path)) {
      run.code = 1;
      run.err += "ls: " + word + ": No such file or directory\n";
    } else if (!run.world.files.is_folder(path) || has_option(run.words, 'd')) {
      list_entry(run, path, word);
    } else {
      if (many) run.out += (run.out.empty() ? "" : "\n") + word + ":\n";
      for (const std::string& name : run.world.files.names_in(path)) {
        if (name[0] == '.' && !has_option(run.words, 'a') && !has_option(run.words, 'A')) continue;
        list_entry(run, path + "/" + name, name);
      }
    }
  }
}

void run_mkdir(ProgramRun& run) {
  const bool parents = has_option(run.words, 'p');
  for (const std::string& word : operands(run.words)) {
    const std::string path = run.path_of(word);
    if (run.world.files.find(path)) {
      if (!parents) run.fail_at("mkdir: can't create directory", word, "File exists");
      continue;
    }
    std::string_view why;
    for (std::size_t slash = 0; parents && slash != std::string::npos && why.empty();) {
      slash = path.find('/', slash + 1);
      const std::string part = path.substr(0, slash);
      if (!run.world.files.find(part)) why = run.world.files.put(part, folder(run.now));
    }
    if (!parents) why = run.world.files.put(path, folder(run.now));
    if (!why.empty()) run.fail_at("mkdir: can't create directory", word, why);
  }
}

void run_rm(ProgramRun& run) {
  const bool forced = has_option(run.words, 'f');
  const bool whole = has_option(run.words, 'r') || has_option(run.words, 'R');
  for (const std::string& word : operands(run.words)) {
    const std::string path = run.path_of(word);
    if (!run.world.files.find(path)) {
      if (!forced) run.fail_at("rm: can't remove", word, "No such file or directory");
    } else if (run.world.files.is_folder(path) && !whole) {
      run.fail(1, "rm: '" + word + "' is a directory");
    } else if (const std::string_view why = run.world.files.remove(path); !why.empty()) {
      run.fail_at("rm: can't remove", word, why);
    }
  }
}

void run_touch(ProgramRun& run) {
  for (const std::string& word : operands(run.words)) {
    const std::string path = run.path_of(word);
    File file = run.world.files.find(path).value_or(plain_file("", run.now));
    if (file.kind == File::Kind::kFolder) continue;
    file.changed = run.now;
    const std::string_view why = run.world.files.put(path, std::move(file));
    if (!why.empty()) run.fail(1, "touch: " + word + ": " + std::string(why));
  }
}

// Copies a file, or a folder with all that is in it. Returns why not.
std::string_view copy_tree(ContainerFiles& files, const std::string& from, const std::string& to) {
  const std::optional<File> file = files.find(from);
  if (!file) return "No such file or directory";
  if (file->kind != File::Kind::kFolder || !files.is_folder(to)) {
    const std::string_view why = files.put(to, *file);
    if (!why.empty() || file->kind != File::Kind::kFolder) return why;
  }
  for (const std::string& name : files.names_in(from)) {
    const std::string_view why = copy_tree(files, from + "/" + name, to + "/" + name);
    if (!why.empty()) return why;
  }
  return {};
}

void copy_or_move(ProgramRun& run, bool moves) {
  const std::string program = moves ? "mv" : "cp";
  Words words = operands(run.words);
  if (words.size() < 2) return run.fail(1, program + ": missing file operand");
  const std::string target = run.path_of(words.back());
  words.pop_back();
  const bool recursive = moves || has_option(run.words, 'r') || has_option(run.words, 'R') ||
                         has_option(run.words, 'a');
  for (const std::string& word : words) {
    const std::string from = run.path_of(word);
    const std::string to =
        run.world.files.is_folder(target) ? target + "/" + base_name(from) : target;
    std::string_view why;
    if (run.world.files.is_folder(from) && !recursive) {
      run.fail(1, "cp: omitting directory '" + word + "'");
      continue;
    }
    if (to == from || to.starts_with(from + "/")) {
      why = "Invalid argument";
    } else {
      why = copy_tree(run.world.files, from, to);
    }
    if (why.empty() && moves) why = run.world.files.remove(from);
    if (!why.empty()) run.fail_at(program + ": can't " + (moves ? "rename" : "copy"), word, why);
  }
}
void run_cp(ProgramRun& run) { copy_or_move(run, false); }
void run_mv(ProgramRun& run) { copy_or_move(run, true); }

// `test` and `[`: one question about a file or a text, or a comparison.
bool holds(const ProgramRun& run, const Words& words) {
  if (!words.empty() && words[0] == "!") return !holds(run, Words(words.begin() + 1, words.end()));
  if (words.empty()) return false;
  if (words.size() == 1) return !words[0].empty();
  if (words.size() == 2) {
    const std::string &ask = words[0], &of = words[1];
    if (ask == "-n") return !of.empty();
    if (ask == "-z") return of.empty();
    const std::optional<File> file = run.world.files.find(run.path_of(of));
    if (ask == "-d") return file && file->kind == File::Kind::kFolder;
    if (ask == "-f") return file && file->kind == File::Kind::kFile;
    if (ask == "-s") return file && !file->text().empty();
    if (ask == "-x") return file && (file->mode & 0111) != 0;
    return (ask == "-e" || ask == "-r" || ask == "-w") && file;
  }
  const std::string& how = words[1];
  if (how == "=" || how == "==") return words[0] == words[2];
  if (how == "!=") return words[0] != words[2];
  const auto a = number_in(words[0]), b = number_in(words[2]);
  if (!a || !b) return false;
  if (how == "-eq") return *a == *b;
  if (how == "-ne") return *a != *b;
  if (how == "-lt") return *a < *b;
  if (how == "-le") return *a <= *b;
  if (how == "-gt") return *a > *b;
  return how == "-ge" && *a >= *b;
}

void run_test(ProgramRun& run) {
  Words words(run.words.begin() + 1, run.words.end());
  if (run.words[0] == "[") {
    if (words.empty() || words.back() != "]") return run.fail(2, "sh: missing ]");
    words.pop_back();
  }
  run.code = holds(run, words) ? 0 : 1;
}

// ---- tar

struct TarWish {
  bool creates = false, extracts = false, lists = false, stdout_or_in = true;
  bool keeps_times = true;
  std::string archive = "-", folder;
  Words names;
};

// Reads `cf - a b`, `-xmf - -C /d`, `xf a.tar`.
TarWish tar_wish(const Words& words) {
  TarWish wish;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool options = i == 1 || (word.size() > 1 && word[0] == '-');
    if (word == "-C" && i + 1 < words.size()) {
      wish.folder = words[++i];
    } else if (word.starts_with("--")) {
      continue;
    } else if (options) {
      for (const char c : word) {
        wish.creates = wish.creates || c == 'c';
        wish.extracts = wish.extracts || c == 'x';
        wish.lists = wish.lists || c == 't';
        if (c == 'm') wish.keeps_times = false;
      }
      if (word.find('f') != std::string::npos && i + 1 < words.size()) wish.archive = words[++i];
    } else {
      wish.names.push_back(word);
    }
  }
  return wish;
}

bool tar_reads(const Words& words) {
  const TarWish wish = tar_wish(words);
  return !wish.creates && wish.archive == "-";
}

void add_to_archive(ContainerFiles& files, const std::string& path, const std::string& name,
                    std::string& archive) {
  const std::optional<File> file = files.find(path);
  if (!file) return;
  TarEntry entry{
      .name = name,
      .kind = file->kind == File::Kind::kFolder ? TarEntry::Kind::kFolder : TarEntry::Kind::kFile,
      .mode = file->mode,
      .changed = file->changed,
      .bytes = std::string(file->text())};
  write_tar_entry(entry, archive);
  if (file->kind != File::Kind::kFolder) return;
  for (const std::string& inside : files.names_in(path)) {
    add_to_archive(files, path + "/" + inside, name + "/" + inside, archive);
  }
}

void create_archive(ProgramRun& run, const TarWish& wish, const std::string& base) {
  std::string archive;
  for (const std::string& name : wish.names) {
    const std::string path = normal_path(name, base);
    if (!run.world.files.find(path)) {
      run.fail(1, "tar: " + name + ": No such file or directory");
      continue;
    }
    if (name.starts_with('/')) run.err += "tar: removing leading '/' from member names\n";
    const std::string relative =
        name.starts_with('/') ? path.substr(std::min<std::size_t>(1, path.size())) : name;
    add_to_archive(run.world.files, path, relative.empty() ? "." : relative, archive);
  }
  write_tar_end(archive);
  if (run.code != 0) run.err += "tar: error exit delayed from previous errors\n";
  if (wish.archive == "-") {
    run.out = std::move(archive);
    return;
  }
  const std::string_view why =
      run.world.files.put(run.path_of(wish.archive), plain_file(std::move(archive), run.now));
  if (!why.empty()) run.fail_at("tar: can't open", wish.archive, why);
}

// Makes the folders above a path that are not there.
void make_parents(ProgramRun& run, const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (!run.world.files.find(part)) run.world.files.put(part, folder(run.now));
  }
}

void extract(ProgramRun& run, const TarWish& wish, const std::string& base, TarEntry& entry) {
  const std::string path = normal_path("/" + entry.name);  // never above the folder
  const std::string at = base + path;
  if (entry.kind == TarEntry::Kind::kFolder && run.world.files.is_folder(at)) return;
  if (at.empty() || entry.kind == TarEntry::Kind::kOther) return;
  make_parents(run, at);
  File file =
      plain_file(std::move(entry.bytes), wish.keeps_times ? entry.changed : run.now, entry.mode);
  if (entry.kind == TarEntry::Kind::kFolder) file = folder(run.now, entry.mode);
  if (entry.kind == TarEntry::Kind::kLink) file.kind = File::Kind::kLink;
  const std::string_view why = run.world.files.put(at, std::move(file));
  if (!why.empty()) run.fail_at("tar: can't create", entry.name, why);
}

void run_tar(ProgramRun& run) {
  const TarWish wish = tar_wish(run.words);
  const std::string base = normal_path(wish.folder, run.folder);
  if (!run.world.files.is_folder(base)) {
    return run.fail_at("tar: can't change directory to", wish.folder, "No such file or directory");
  }
  if (wish.creates) return create_archive(run, wish, base);
  if (!wish.extracts && !wish.lists) return run.fail(1, "tar: need at least one of -c, -x, -t");
  std::string archive = run.in;
  if (wish.archive != "-") {
    const std::optional<File> file = run.world.files.find(run.path_of(wish.archive));
    if (!file) return run.fail_at("tar: can't open", wish.archive, "No such file or directory");
    archive = file->text();
  }
  TarRead read = read_tar(archive);
  for (TarEntry& entry : read.entries) {
    if (wish.lists) {
      run.out += entry.name + "\n";
    } else {
      extract(run, wish, base, entry);
    }
  }
  if (read.broken) return run.fail(1, "tar: invalid tar header checksum");
  if (!read.ended && read.entries.empty()) run.fail(1, "tar: short read");
}

}  // namespace

const std::vector<Program>& file_programs() {
  static const std::vector<Program> table = {
      {"ls", &run_ls},       {"mkdir", &run_mkdir}, {"rm", &run_rm},
      {"touch", &run_touch}, {"cp", &run_cp},       {"mv", &run_mv},
      {"test", &run_test},   {"[", &run_test},      {"tar", &run_tar, &tar_reads},
  };
  return table;
}

}  // namespace tabernetes::server
