/** What a shell loads to complete our commands. Each asks the program for the candidates. */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Candidates are lines `value TAB about`; `:files` or `:directories` leaves paths to the shell. */
export const SCRIPTS: Record<Shell, string> = {
  bash: `# source <(loopwatch completion bash)
_loopwatch() {
  local line value word last=-1 joined= before=
  local -a words=()
  # bash takes = for a word of its own, and replaces only what follows it.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $last -ge 0 && ( $word == = || $joined == = ) ]]; then words[last]+=$word
    else words[++last]=$word; fi
    joined=$word
  done
  word=\${words[last]-}
  [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && before=\${word%=*}=
  COMPREPLY=()
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    case "$line" in
      :files) compopt -o default 2>/dev/null ;;
      :directories) compopt -o dirnames 2>/dev/null ;;
      *)
        [[ $value == *= ]] && compopt -o nospace 2>/dev/null
        COMPREPLY+=("$(printf %q "\${value#"$before"}")")
        ;;
    esac
  done < <(loopwatch __complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _loopwatch loopwatch
`,
  zsh: `#compdef loopwatch
# source <(loopwatch completion zsh)
_loopwatch() {
  local line about
  local -a found open paths
  while IFS= read -r line; do
    case "$line" in
      :files) paths=(_files) ;;
      :directories) paths=(_files -/) ;;
      *)
        about="\${line#*$'\\t'}"
        line="\${\${line%%$'\\t'*}//:/\\\\:}"
        if [[ $line == *= ]]; then open+=("$line\${about:+:$about}")
        else found+=("$line\${about:+:$about}"); fi
        ;;
    esac
  done < <(loopwatch __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe loopwatch found
  (( \${#open} )) && _describe loopwatch open -S ''
  (( \${#paths} )) && "\${paths[@]}"
}
if [[ $funcstack[1] == _loopwatch ]]; then _loopwatch; else compdef _loopwatch loopwatch; fi
`,
  fish: `# loopwatch completion fish > ~/.config/fish/completions/loopwatch.fish
function __loopwatch_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (loopwatch __complete -- $words[2..] 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path (commandline -ct)
      case :directories
        __fish_complete_directories (commandline -ct)
      case '*'
        printf '%s\\n' $line
    end
  end
end
complete -c loopwatch -f -a '(__loopwatch_complete)'
`,
};
