#include "server/containers/shell.h"

#include <catch2/catch_test_macros.hpp>

#include "base/time/rfc3339.h"
#include "server/containers/container_reader.h"

using namespace tabernetes;
using server::CommandAnswer;
using server::ContainerFiles;
using server::ContainerWorld;
using server::FileTree;
using server::Shell;
using server::WrittenFiles;

namespace {

const Time kStart = *parse_rfc3339("2026-01-01T00:00:00Z");

Shell new_shell(std::vector<CommandAnswer> answers = {}) {
  FileTree image;
  for (const char* name : {"", "/etc", "/tmp"}) image.emplace(name, server::folder(kStart));
  image.emplace("/etc/hostname", server::plain_file("web\n", kStart));
  ContainerFiles::Mount config{.path = "/etc/config", .files = {}, .written = nullptr, .below = ""};
  config.files.emplace("/a.conf", server::plain_file("x=1\n", kStart));
  ContainerWorld world;
  world.environment = {{"HOME", "/root"}, {"NAME", "a b"}};
  world.hostname = "web";
  world.processes = {"nginx -g"};
  world.files = ContainerFiles({{.path = "",
                                 .files = std::move(image),
                                 .written = std::make_shared<WrittenFiles>(),
                                 .below = ""},
                                std::move(config)});
  return Shell(std::move(world), std::move(answers), kStart);
}

struct Outcome {
  std::string out, err;
  int code = -1;  // -1: it has not ended

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome_of(Shell& shell) {
  return {shell.take_out(), shell.take_err(), shell.exit_code().value_or(-1)};
}

Outcome run(const std::vector<std::string>& command) {
  Shell shell = new_shell();
  shell.run(command, false);
  shell.end_input();
  return outcome_of(shell);
}

Outcome script(const std::string& text) { return run({"sh", "-c", text}); }

}  // namespace

TEST_CASE("shell: programs", "[server]") {
  CHECK(run({"echo", "a", "b"}) == Outcome{"a b\n", "", 0});
  CHECK(run({"/bin/echo", "-n", "$HOME"}) == Outcome{"$HOME", "", 0});
  CHECK(run({"hostname"}) == Outcome{"web\n", "", 0});
  CHECK(run({"env"}) == Outcome{"HOME=/root\nNAME=a b\n", "", 0});
  CHECK(run({"printenv", "HOME"}) == Outcome{"/root\n", "", 0});
  CHECK(run({"date"}) == Outcome{"Thu Jan  1 00:00:00 UTC 2026\n", "", 0});
  CHECK(run({"date", "+%F %T %s"}) == Outcome{"2026-01-01 00:00:00 1767225600\n", "", 0});
  CHECK(run({"id"}) == Outcome{"uid=0(root) gid=0(root) groups=0(root)\n", "", 0});
  CHECK(run({"ps"}) ==
        Outcome{"PID   USER     TIME  COMMAND\n    1 root      0:00 nginx -g\n", "", 0});
  CHECK(run({"cat", "/etc/hostname"}) == Outcome{"web\n", "", 0});
  CHECK(run({"cat", "/a"}) == Outcome{"", "cat: can't open '/a': No such file or directory\n", 1});
  CHECK(run({"ls", "/etc"}) == Outcome{"config\nhostname\n", "", 0});
  CHECK(run({"ls", "/nope"}) == Outcome{"", "ls: /nope: No such file or directory\n", 1});
  CHECK(run({"printf", "%s=%d\\n", "a", "1", "b"}) == Outcome{"a=1\nb=0\n", "", 0});
  CHECK(run({"printf", "\\033[31m\\x41\\e[0m\\q\\"}) == Outcome{"\x1b[31mA\x1b[0mq\\", "", 0});
  CHECK(run({"echo", "-e", "\\0101\\033[1m\\a\\c\\x"}) == Outcome{"A\x1b[1m\a\\c\\x\n", "", 0});
  Shell missing = new_shell();
  missing.run({"nope"}, false);
  CHECK(missing.missing_program() == "nope");
}

TEST_CASE("shell: scripts", "[server]") {
  CHECK(script("echo $NAME '$NAME' \"${NAME}!\"") == Outcome{"a b $NAME a b!\n", "", 0});
  CHECK(script("false; echo $?; exit 3; echo never") == Outcome{"1\n", "", 3});
  CHECK(script("true && echo yes || echo no") == Outcome{"yes\n", "", 0});
  CHECK(script("false && echo yes || echo no # more") == Outcome{"no\n", "", 0});
  CHECK(script("sh -c 'exit 7' || echo $?") == Outcome{"", "", 7});
  CHECK(script("nope") == Outcome{"", "sh: nope: not found\n", 127});
  CHECK(script("echo 'a") == Outcome{"", "sh: syntax error: unterminated quoted string\n", 2});
  CHECK(script("for i in 1; do echo; done") ==
        Outcome{"", "sh: syntax error: unexpected \"for\"\n", 2});
  CHECK(script("echo a &&") == Outcome{"", "sh: syntax error: unexpected end of file\n", 2});
  CHECK(script("| cat") == Outcome{"", "sh: syntax error: unexpected \"|\"\n", 2});
  CHECK(script("{>>") == Outcome{"", "sh: syntax error: unexpected \"{\"\n", 2});
  CHECK(script("a>>{>>") == Outcome{"", "sh: syntax error: unexpected newline\n", 2});
  CHECK(script("echo a > ") == Outcome{"", "sh: syntax error: unexpected newline\n", 2});
}

TEST_CASE("shell: pipes, files and substitutions", "[server]") {
  CHECK(script("printf 'b\\na\\n' | sort | head -n 1") == Outcome{"a\n", "", 0});
  CHECK(script("echo hi > /tmp/f; echo ho >> /tmp/f; cat < /tmp/f; wc -l /tmp/f") ==
        Outcome{"hi\nho\n2 /tmp/f\n", "", 0});
  CHECK(script("cd /tmp && pwd && touch a b && ls && echo *") ==
        Outcome{"/tmp\na\nb\na b\n", "", 0});
  CHECK(script("cat nope 2>/dev/null; cat nope 2>&1 | wc -l") == Outcome{"1\n", "", 0});
  CHECK(script("x=$(echo one two); echo \"$x\" $(hostname)") == Outcome{"one two web\n", "", 0});
  CHECK(script("echo x > /etc/config/b") ==
        Outcome{"", "sh: can't create /etc/config/b: Read-only file system\n", 1});
  CHECK(script("mkdir -p /tmp/a/b; mv /tmp/a /tmp/c; ls /tmp/c; rm -r /tmp/c; ls /tmp") ==
        Outcome{"b\n", "", 0});
  CHECK(script("[ -d /etc ] && test 3 -gt 2 && echo yes; [ -f /etc ] || echo no") ==
        Outcome{"yes\nno\n", "", 0});
  CHECK(script("echo a | sh -c 'cat'; echo 'echo b' | sh") == Outcome{"a\nb\n", "", 0});
}

TEST_CASE("shell: archives", "[server]") {
  CHECK(
      script(
          "echo one > /tmp/a; cd /tmp; tar cf a.tar a; rm a; tar xf a.tar; cat a; tar tf a.tar") ==
      Outcome{"one\na\n", "", 0});
  CHECK(script("echo x | tar xf -") == Outcome{"", "tar: short read\n", 1});
  CHECK(script("tar cf - /nope | wc -c") ==
        Outcome{
            "1024\n",
            "tar: /nope: No such file or directory\ntar: error exit delayed from previous errors\n",
            0});
}

TEST_CASE("shell: what is typed", "[server]") {
  Shell shell = new_shell();
  shell.run({"sh"}, true);
  CHECK(outcome_of(shell) == Outcome{"/ # ", "", -1});
  shell.type("echo hI\x7fi\r");
  CHECK(outcome_of(shell) == Outcome{"echo hI\b \bi\r\nhi\r\n/ # ", "", -1});
  shell.type("cat\rab\r");
  CHECK(outcome_of(shell) == Outcome{"cat\r\nab\r\nab\r\n", "", -1});
  shell.type("\x04");
  CHECK(outcome_of(shell) == Outcome{"/ # ", "", -1});
  shell.type("sleep 100\r\x03");
  CHECK(outcome_of(shell) == Outcome{"sleep 100\r\n^C\r\n/ # ", "", -1});
  shell.type("false\rexit\r");
  CHECK(outcome_of(shell).code == 1);

  Shell left = new_shell();
  left.run({"sh"}, true);
  left.type("\x04");
  CHECK(outcome_of(left) == Outcome{"/ # ", "", 0});

  Shell copies = new_shell();
  copies.run({"cat"}, false);
  copies.type("a\nb");
  CHECK(outcome_of(copies) == Outcome{"a\nb", "", -1});
  copies.end_input();
  CHECK(outcome_of(copies) == Outcome{"", "", 0});
}

TEST_CASE("shell: sleep takes the cluster's time", "[server]") {
  Shell shell = new_shell();
  shell.run({"sh", "-c", "echo a; sleep 2; echo b"}, false);
  CHECK(outcome_of(shell) == Outcome{"a\n", "", -1});
  CHECK(shell.waits_until() == kStart + Duration::from_seconds(2));
  shell.advance(kStart + Duration::from_seconds(1));
  CHECK(outcome_of(shell) == Outcome{"", "", -1});
  shell.advance(kStart + Duration::from_seconds(2));
  shell.end_input();
  CHECK(outcome_of(shell) == Outcome{"b\n", "", 0});
}

TEST_CASE("shell: rules answer first", "[server]") {
  CommandAnswer answer;
  answer.line = "psql *";
  answer.out = "rows\n";
  answer.code = 3;
  Shell shell = new_shell({answer});
  shell.run({"sh", "-c", "psql -c x | wc -l; psql y"}, false);
  CHECK(outcome_of(shell) == Outcome{"1\nrows\n", "", 3});
}

TEST_CASE("shell: somebody else is asked, and may not answer", "[server]") {
  CommandAnswer rows, count;
  rows.line = Wildcard("rows *");
  rows.url = "http://rows";
  count.line = Wildcard("count");
  count.url = "http://count";
  count.stdin_ = true;
  Shell shell = new_shell({rows, count});
  shell.run({"sh", "-c", "rows a b | count; echo $?; echo $(rows c)"}, false);
  std::optional<Shell::Asked> asked = shell.take_asked();
  REQUIRE(asked);
  CHECK(asked->url == "http://rows");
  CHECK(asked->command == std::vector<std::string>{"rows", "a", "b"});
  CHECK(!shell.take_asked());
  CHECK(outcome_of(shell) == Outcome{});
  shell.answer("1\n2\n", "note\n", 0);
  asked = shell.take_asked();
  REQUIRE(asked);
  CHECK(asked->in == "1\n2\n");
  shell.answer("2\n", "", 5);
  CHECK(outcome_of(shell) == Outcome{"2\n5\n\n", "note\nsh: rows: cannot be asked here\n", 0});
  shell.answer("late", "", 0);
  CHECK(outcome_of(shell) == Outcome{"", "", 0});

  Shell typed = new_shell({rows, count});
  typed.run({"count"}, false);
  CHECK(!typed.take_asked());
  typed.type("a");
  typed.type("b");
  typed.end_input();
  asked = typed.take_asked();
  REQUIRE(asked);
  CHECK(asked->in == "ab");
  typed.answer("2", "", 0);
  CHECK(outcome_of(typed) == Outcome{"2", "", 0});
}

TEST_CASE("shell: a terminal's lines are corrected and brought back", "[server]") {
  Shell shell = new_shell();
  shell.run({"sh"}, true);
  shell.type("echo \xc3\xbc\xc3\xbc\x7f\r");
  CHECK(shell.take_out() == "/ # echo \xc3\xbc\xc3\xbc\b \b\r\n\xc3\xbc\r\n/ # ");
  shell.type("x\x15\x1b[A");
  CHECK(shell.take_out() == "x\b \becho \xc3\xbc");
  shell.type("\x1b[B\x1b[Z\x01");
  CHECK(shell.take_out() == "\b \b\b \b\b \b\b \b\b \b\b \b");
  shell.type("hi\x0c");
  CHECK(shell.take_out() == "hi\x1b[H\x1b[2J/ # hi");
}

TEST_CASE("shell: bytes that are no character are taken back as one, within the line", "[server]") {
  Shell shell = new_shell();
  shell.run({"cat"}, true);
  shell.type("a\r");
  CHECK(shell.take_out() == "a\r\na\r\n");
  shell.type(
      "\x87\x88\x7f\x7f"
      "b\r");
  CHECK(shell.take_out() == "\x87\x88\b \bb\r\nb\r\n");
}
