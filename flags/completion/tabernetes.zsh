#compdef tabernetes
# Completion of tabernetes in zsh: source <(tabernetes completion zsh)
_tabernetes() {
  local -a found
  found=("${(@f)$(tabernetes __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "${found[*]}" ]]; then compadd -a found; else _files; fi
}
compdef _tabernetes tabernetes
