/** What a shell loads to complete our commands. Each asks the program for the candidates. */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Candidates come as lines `value TAB about`; without one, bash and fish complete files. */
export const SCRIPTS: Record<Shell, string> = {
  bash: `# source <(loopwatch completion bash)
_loopwatch() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$(printf %q "\${line%%$'\\t'*}")")
  done < <(loopwatch __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _loopwatch loopwatch
`,
  zsh: `#compdef loopwatch
# source <(loopwatch completion zsh)
_loopwatch() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(loopwatch __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe loopwatch found; else _files; fi
}
if [[ $funcstack[1] == _loopwatch ]]; then _loopwatch; else compdef _loopwatch loopwatch; fi
`,
  fish: `# loopwatch completion fish > ~/.config/fish/completions/loopwatch.fish
function __loopwatch_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (loopwatch __complete -- $words[2..] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c loopwatch -f -a '(__loopwatch_complete)'
`,
};
