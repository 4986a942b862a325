#include "kube_apiserver_line.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "flag_table.h"
#include "kube_apiserver_flags.h"
#include "listen_address.h"
#include "tabernetes/options.h"
#include "text_file.h"

namespace tabernetes::host {
namespace {

constexpr std::string_view kPort = "6443";
constexpr const char* kVersion = "Kubernetes v1.36.2\n";  // as /version says

// Flags that have a meaning of their own here, or whose namesake means something else.
constexpr std::string_view kOwn[] = {
    "authorization-mode",
    "bind-address",
    "cert-dir",
    "secure-port",
    "tls-cert-file",
    "tls-private-key-file",
    "service-account-signing-key-file",
};

struct Given {
  std::vector<std::pair<std::string, std::string>> flags;  // names and values, in order
  bool help = false;
  std::string version;  // the value of --version; empty: not given
};

KubeApiserverLine mistake(const std::string& message) {
  return {.serve = {}, .out = {}, .err = "Error: " + message + "\n", .exit_code = 1};
}

// Returns the text of --help. Test kits look in it for names at the beginning of a line.
std::string help() {
  std::string text =
      "tabernetes in the place of kube-apiserver: a Kubernetes API server in memory.\n\n"
      "Usage:\n  kube-apiserver [flags]\n\nFlags:\n";
  for (const KubeApiserverFlag& flag : kube_apiserver_flags()) {
    text += "      --" + std::string(flag.name) + ' ' + std::string(flag.type);
    text += flag.use == KubeApiserverFlag::Use::kRefused ? "   (not supported)\n" : "\n";
  }
  return text + "  -h, --help   help for kube-apiserver\n      --version version\n";
}

std::string known_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name == "h" ? "help" : name;
}

// Reads `arguments` into `given`, as pflag does. Returns the message of a fault, or an empty text.
std::string read_arguments(const std::vector<std::string>& arguments, Given& given) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool shorthand = argument.starts_with("-h") || argument.starts_with("-v");
    if (!argument.starts_with("--") && !shorthand) {
      if (argument.starts_with('-'))
        return "unknown shorthand flag: '" + argument.substr(1, 1) + "' in " + argument;
      return R"("kube-apiserver" does not take any arguments, got [")" + argument + "\"]";
    }
    std::string text = argument.substr(argument.starts_with("--") ? 2 : 1);
    if (!argument.starts_with("--") && text.size() > 1 && text[1] != '=') text.insert(1, "=");
    const std::size_t equals = text.find('=');
    const std::string typed = text.substr(0, equals);
    const std::string name = known_name(typed);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = text.substr(equals + 1);
    if (name == "help") {
      given.help = true;
      continue;
    }
    if (name == "version") {
      given.version = value.value_or("true");
      continue;
    }
    const KubeApiserverFlag* flag = find_kube_apiserver_flag(name);
    if (flag == nullptr) return "unknown flag: --" + typed;
    if (!value && flag->type == "bool") value = "true";
    if (!value && i + 1 == arguments.size()) return "flag needs an argument: --" + name;
    if (!value) value = arguments[++i];
    if (flag->use == KubeApiserverFlag::Use::kRefused && !value->empty()) {
      return "--" + name + " is not supported by tabernetes";
    }
    given.flags.emplace_back(name, *value);
  }
  return {};
}

// The flags with a meaning of their own, the last value of each, and what is to be served.
class Translation {
 public:
  void take(const std::string& name, const std::string& value) {
    if (std::find(std::begin(kOwn), std::end(kOwn), name) != std::end(kOwn)) {
      std::string& kept = own_[name];
      // A list adds to itself.
      kept = name == "authorization-mode" && !kept.empty() ? kept + "," + value : value;
    } else if (find_flag(name) != nullptr && !name.starts_with("etcd-")) {
      line_.serve.push_back("--" + name + "=" + value);
    } else if (!value.empty()) {
      without_effect_.push_back("--" + name);
    }
  }

  KubeApiserverLine finish() && {
    const std::string port = own("secure-port").value_or(std::string(kPort));
    std::string host = own("bind-address").value_or("127.0.0.1");
    if (host.find(':') != std::string::npos) host = "[" + host + "]";
    if (!parse_listen_address(host + ":" + port)) {
      return mistake("invalid --bind-address or --secure-port: " + host + ":" + port);
    }
    add("listen", host + ":" + port);
    add_certificate();
    if (const auto modes = own("authorization-mode")) {
      if (const auto known = parse_authorization_modes(*modes); !known) {
        return mistake("--authorization-mode: " + known.fault().message);
      }
      add("authorization-mode", *modes);
    }
    add_signing_key();
    if (!without_effect_.empty()) {
      line_.err += "kube-apiserver: without effect here:";
      for (const std::string& name : without_effect_) line_.err += " " + name;
      line_.err += "\n";
    }
    return std::move(line_);
  }

 private:
  std::optional<std::string> own(const std::string& name) const {
    const auto found = own_.find(name);
    return found == own_.end() || found->second.empty() ? std::nullopt
                                                        : std::optional(found->second);
  }

  void add(const std::string& name, const std::string& value) {
    line_.serve.push_back("--" + name + "=" + value);
  }

  // A certificate that is named, or lies in --cert-dir as apiserver.crt; otherwise one is made.
  void add_certificate() {
    auto certificate = own("tls-cert-file"), key = own("tls-private-key-file");
    const auto folder = own("cert-dir");
    if (!certificate && !key && folder) {
      const std::filesystem::path path(*folder);
      std::error_code ignored;
      if (std::filesystem::exists(path / "apiserver.crt", ignored) &&
          std::filesystem::exists(path / "apiserver.key", ignored)) {
        certificate = path / "apiserver.crt";
        key = path / "apiserver.key";
      }
    }
    if (certificate) add("tls-cert-file", *certificate);
    if (key) add("tls-private-key-file", *key);
    if (certificate || key) return;
    line_.serve.emplace_back("--tls=true");
    if (folder) add("cert-dir", *folder);
  }

  // Keys of other kinds than RSA and ECDSA cannot sign here.
  void add_signing_key() {
    const auto path = own("service-account-signing-key-file");
    if (!path) return;
    const TextFile file = read_text_file(*path);
    if (!file.problem.empty() || check_signing_key(file.text)) {
      return add("service-account-signing-key-file", *path);
    }
    line_.err +=
        "kube-apiserver: --service-account-signing-key-file: only RSA and ECDSA keys sign here; "
        "tokens of service accounts are signed with a key that everybody knows\n";
  }

  std::map<std::string, std::string> own_;
  std::vector<std::string> without_effect_;
  // An API server alone: controllers are other programs.
  KubeApiserverLine line_{
      .serve = {"serve", "--controllers=none", "--scheduler=false", "--nodes=0", "--ui=false"},
      .out = {},
      .err = {}};
};

}  // namespace

KubeApiserverLine read_kube_apiserver_line(const std::vector<std::string>& arguments) {
  Given given;
  if (const std::string fault = read_arguments(arguments, given); !fault.empty()) {
    return mistake(fault);
  }
  if (given.help) return {.serve = {}, .out = help(), .err = {}};
  if (!given.version.empty() && given.version != "false") {
    return {.serve = {}, .out = kVersion, .err = {}};
  }
  Translation translation;
  for (const auto& [name, value] : given.flags) translation.take(name, value);
  return std::move(translation).finish();
}

}  // namespace tabernetes::host
