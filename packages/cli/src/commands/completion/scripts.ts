/**
 * The script with which a shell gets completions from `jobset __complete`. The completion logic is
 * in the program. The scripts only pass the words to it and its results back.
 */
export const completionScripts = {
  bash: `# Completion of jobset for bash: source <(jobset completion bash)
_jobset() {
  local line="\${COMP_LINE:0:COMP_POINT}" out directive word prefix
  local -a words
  read -ra words <<<"$line"
  case "$line" in *[[:space:]]) words+=("") ;; esac
  out="$("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null)" || return
  directive="\${out##*:}"
  word="\${words[\${#words[@]} - 1]}"
  # For bash a new word starts after = and :, and only the rest is replaced.
  prefix="\${word%"\${word##*[=:]}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    line="\${line%%$'\\t'*}"
    case "$line" in
      "" | :[0-9]*) ;;
      *) COMPREPLY+=("\${line#"$prefix"}") ;;
    esac
  done <<<"$out"
  if type compopt >/dev/null 2>&1; then
    if ((directive & 2)); then compopt -o nospace; fi
    if ! ((directive & 4)); then compopt -o default; fi
  fi
}
complete -F _jobset jobset
`,
  zsh: `#compdef jobset
# Completion of jobset for zsh: source <(jobset completion zsh), or as a file _jobset in a folder of $fpath
_jobset() {
  local out directive line value
  local -a lines values
  out="$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)" || return
  directive="\${out##*:}"
  for line in "\${(@f)out}"; do
    [[ -z "$line" || "$line" == :[0-9]* ]] && continue
    value="\${line%%$'\\t'*}"
    # A colon separates a value from its description.
    value="\${value//:/\\\\:}"
    [[ "$line" == *$'\\t'* ]] && value+=":\${line#*$'\\t'}"
    values+=("$value")
  done
  if (( \${#values} )); then
    if (( directive & 2 )); then _describe -V jobset values -S ''; else _describe -V jobset values; fi
  fi
  (( directive & 4 )) || _files
}
# As a file in $fpath, the function is called at once. If sourced, it is registered.
if [ "\${funcstack[1]}" = _jobset ]; then _jobset "$@"; else compdef _jobset jobset; fi
`,
  fish: `# Completion of jobset for fish: jobset completion fish | source
function __jobset_complete
    set -l words (commandline -opc)
    set -l written (commandline -ct)
    set -q written[1]; or set written ''
    set -l out (command $words[1] __complete $words[2..-1] $written 2>/dev/null)
    or return
    set -l directive (string replace : '' -- $out[-1])
    for line in $out[1..-2]
        echo $line
    end
    # Bit 4 of the directive means no files.
    contains -- $directive 4 6; or __fish_complete_path $written
end
complete -c jobset -f -a '(__jobset_complete)'
`,
  kubectl: `#!/bin/sh
# Completion of kubectl jobset, which kubectl calls. Save it as kubectl_complete-jobset on the PATH, and make it
# executable.
exec kubectl-jobset __complete "$@"
`,
} as const;
