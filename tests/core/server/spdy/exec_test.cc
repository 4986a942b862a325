#include <catch2/catch_test_macros.hpp>

#include "../requests.h"
#include "frames.h"

using namespace tabernetes;
using namespace tabernetes::server;
using namespace tabernetes::server::spdy_frames;

namespace {

Options one_node() {
  Options options;
  options.nodes = 1;
  return options;
}

// Asks for a container that has not begun: the session ends with the first thing that it says.
Response exec(ApiServer& server, std::string_view query, std::string protocol) {
  const std::string pods = "/api/v1/namespaces/default/pods";
  ask(server, "POST", pods,
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"late"},)"
      R"("spec":{"nodeName":"node-1","containers":[{"name":"main","image":"a"}]}})");
  Request request = request_of("POST", pods + "/late/exec?command=true&" + std::string(query));
  request.headers = {{"connection", "Upgrade"},
                     {"upgrade", "SPDY/3.1"},
                     {"x-stream-protocol-version", std::move(protocol)}};
  Response answer;
  server.handle(request, [&](Response response) { answer = std::move(response); });
  return answer;
}

// Opens the streams one after the other. Returns those after which the container's last word came:
// one, or none.
std::string last_word_after(Response answer, const std::vector<std::string>& types) {
  std::string found;
  std::uint32_t stream = 1;
  for (const std::string& type : types) {
    answer.stream->receive(opening(stream, {{"streamtype", type}}, stream == 1));
    stream += 2;
    if (answer.stream->next().flatten().find("container not found") != std::string::npos)
      found += type + " ";
  }
  return found;
}

}  // namespace

TEST_CASE("spdy: a session says nothing before the client has opened all its streams", "[server]") {
  ApiServer server(one_node());
  const std::string all = "stdin=true&stdout=true&stderr=true", terminal = all + "&tty=true";
  CHECK(last_word_after(exec(server, "stdout=true", "v4.channel.k8s.io"), {"error", "stdout"}) ==
        "stdout ");
  CHECK(last_word_after(exec(server, all, "v4.channel.k8s.io"),
                        {"error", "stdin", "stdout", "stderr"}) == "stderr ");
  CHECK(last_word_after(exec(server, all, "channel.k8s.io"),
                        {"stdout", "stderr", "error", "stdin"}) == "stdin ");
  CHECK(last_word_after(exec(server, terminal, "v4.channel.k8s.io"),
                        {"error", "stdin", "stdout", "resize"}) == "resize ");
  CHECK(last_word_after(exec(server, terminal, "v3.channel.k8s.io"),
                        {"error", "stdin", "stdout", "resize"}) == "resize ");
  CHECK(last_word_after(exec(server, terminal, "v2.channel.k8s.io"),
                        {"error", "stdin", "stdout"}) == "stdout ");
}
