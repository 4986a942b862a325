// The command line of kube-apiserver, understood: what a test kit passes when this binary stands in
// the place of kube-apiserver.
#pragma once

#include <string>
#include <vector>

namespace tabernetes::host {

// A command line of kube-apiserver as one of `tabernetes serve`, or an answer to print.
struct KubeApiserverLine {
  std::vector<std::string> serve;  // arguments, beginning with "serve"; empty: print and exit
  std::string out;
  std::string err;  // also what has no effect, while it serves
  int exit_code = 0;
};

// `arguments`: without the name of the program. Reads the files whose content decides how a flag is
// understood: the serving certificate in --cert-dir, the signing key of service accounts.
KubeApiserverLine read_kube_apiserver_line(const std::vector<std::string>& arguments);

}  // namespace tabernetes::host
