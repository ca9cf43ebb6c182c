import { valueFlagsOf, type CompletionPoint } from './model.ts'

const flagNames = ({ flags }: CompletionPoint): string => flags.map(({ name }) => `--${name}`).join(' ')

const caseOf = (place: CompletionPoint): string => {
  const next = [...place.next.map(([word]) => word), ...(place.choices ?? [])].join(' ')
  return `    '${place.words}') flags='${flagNames(place)}' next='${next}'${place.isPath ? ' paths=yes' : ''} ;;`
}

export const bash = (places: readonly CompletionPoint[]): string => {
  const valueFlags = valueFlagsOf(places)
  const values = valueFlags.flatMap(({ name, choices, isPath }) => {
    if (choices) return `      --${name}) _institute_words '${choices.join(' ')}' ;;`
    return isPath ? `      --${name}) _institute_paths ;;` : []
  })
  return `# bash completion of institute
_institute_paths() {
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

_institute_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_institute() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words=() skip='' flags='' next='' paths='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ -n $skip ]]; then
      skip=''
      continue
    fi
    case \${COMP_WORDS[i]} in
      ${valueFlags.map(({ name }) => `--${name}`).join(' | ')}) skip=\${COMP_WORDS[i]} ;;
      -*) ;;
      *) words+=("\${COMP_WORDS[i]}") ;;
    esac
  done
  if [[ -n $skip ]]; then
    case $skip in
${values.join('\n')}
    esac
    return
  fi
  case "\${words[*]}" in
${places.map(caseOf).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    _institute_words "$flags"
  elif [[ -n $paths ]]; then
    _institute_paths
  else
    _institute_words "$next"
  fi
}

complete -F _institute institute`
}
