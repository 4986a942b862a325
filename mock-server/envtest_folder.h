// `tabernetes envtest DIR`: a folder of programs for test kits such as controller-runtime's
// envtest, as KUBEBUILDER_ASSETS names it.
#pragma once

#include <string>

namespace tabernetes::host {

// Makes the folder with links kube-apiserver and etcd to this program, and kubectl to the one of
// PATH, if there is any. Replaces links, but no files. Returns the exit code: 0, or 1 after a line
// on stderr.
int make_envtest_folder(const std::string& path);

}  // namespace tabernetes::host
