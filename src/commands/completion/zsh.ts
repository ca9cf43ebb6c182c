import type { Proposed } from '../command.ts'
import { quoted, valueFlagsOf, type Flag, type CompletionPoint } from './model.ts'

const actionOf = ({ choices, isPath }: Proposed): string => {
  if (choices) return `(${choices.join(' ')})`
  return isPath ? '_files' : ' '
}

const specOf = ({ name, about, takesValue, ...proposed }: Flag): string => {
  const meaning = about.replaceAll(/[[\]:\\]/g, String.raw`\$&`)
  return quoted(`--${name}[${meaning}]${takesValue ? `:value:${actionOf(proposed)}` : ''}`)
}

const caseOf = (place: CompletionPoint): string => {
  const next = place.next.map(([word, about]) => quoted(`${word}:${about.replaceAll(':', String.raw`\:`)}`))
  return `  (${quoted(place.words)})
    next=(${next.join(' ')})
    flags=(${place.flags.map(specOf).join(' ')})
    rest=${quoted(`*: :${actionOf(place)}`)} ;;`
}

export const zsh = (places: readonly CompletionPoint[]): string => `#compdef institute
local -a so_far next flags
local -i i skip=0
local rest
for ((i = 2; i < CURRENT; i++)); do
  if ((skip)); then
    skip=0
    continue
  fi
  case \${words[i]} in
    (${valueFlagsOf(places)
      .map(({ name }) => `--${name}`)
      .join('|')}) skip=1 ;;
    (-*) ;;
    (*) so_far+=("\${words[i]}") ;;
  esac
done
case "\${so_far[*]}" in
${places.map(caseOf).join('\n')}
  (*) return 1 ;;
esac
if ((! skip && \${#next})) && [[ \${words[CURRENT]} != -* ]]; then
  _describe command next
else
  _arguments $flags $rest
fi`
