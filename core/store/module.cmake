tab_module(store
  SOURCES
    history.cc
    snapshot_history.cc
    store.cc
    tree.cc
    watch_hub.cc
  DEPS base)
