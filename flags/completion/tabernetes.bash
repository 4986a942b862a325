# Completion of tabernetes in bash: source <(tabernetes completion bash)
_tabernetes() {
  local IFS=$'\n'
  COMPREPLY=($(tabernetes __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _tabernetes tabernetes
