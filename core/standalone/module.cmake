# Public functions that need no server.
tab_module(standalone
  SOURCES
    encoding.cc
    manifest_check.cc
    manifest_pieces.cc
    patching.cc
    request_summary.cc
    resource_version.cc
    selector.cc
  DEPS server/decode server/encode server/http server/request)
