// A seed: what a client types to a simulated container's shell, each piece after its size in a
// byte. The first byte chooses terminal and script.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/containers/shell.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tabernetes;
  if (size == 0) return 0;
  const bool tty = (data[0] & 1) != 0;
  const int what = data[0] >> 1 & 3;
  std::string_view rest(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto take = [&rest] {
    if (rest.empty()) return std::string();
    const std::size_t length = static_cast<unsigned char>(rest.front());
    std::string text(rest.substr(1, length));
    rest.remove_prefix(std::min(rest.size(), length + 1));
    return text;
  };
  server::ContainerWorld world;
  world.environment = {{"A", "b c"}};
  world.hostname = "pod";
  world.files = server::ContainerFiles({{.path = "",
                                         .files = {},
                                         .written = std::make_shared<server::WrittenFiles>(),
                                         .below = ""}});
  server::Shell shell(std::move(world), {}, Time{});
  const std::string first = take();
  std::vector<std::string> command = {"sh"};
  if (what == 1) command = {"sh", "-c", first};
  if (what == 2) command = {"tar", "xf", "-"};
  shell.run(command, tty);
  std::int64_t seconds = 0;
  while (!rest.empty() && !shell.exit_code()) {
    shell.type(take());
    shell.advance(Time{++seconds * 1'000'000'000});
    shell.take_out();
    shell.take_err();
  }
  shell.end_input();
  return 0;
}
