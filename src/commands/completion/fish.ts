import { quoted, valueFlagsOf, type Flag, type CompletionPoint } from './model.ts'

const valueOf = ({ takesValue, choices, isPath }: Flag): string => {
  if (!takesValue) return ''
  if (choices) return ` -x -a ${quoted(choices.join(' '))}`
  return isPath ? ' -r -F' : ' -x'
}

const linesOf = ({ words, about, next, flags, choices, isPath }: CompletionPoint): string[] => {
  const line = (what: string, meaning: string): string =>
    `complete -c institute -n ${quoted(`__institute_at ${words}`.trimEnd())} ${what} -d ${quoted(meaning)}`
  return [
    ...next.map(([word, meaning]) => line(`-a ${word}`, meaning)),
    ...flags.map((flag) => line(`-l ${flag.name}${valueOf(flag)}`, flag.about)),
    ...(choices ? [line(`-a ${quoted(choices.join(' '))}`, about)] : []),
    ...(isPath ? [line('-F', about)] : []),
  ]
}

export const fish = (places: readonly CompletionPoint[]): string => `# fish completion of institute
# Whether the words so far, without flags and their values, are the ones given.
function __institute_at
  set -l words
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${valueFlagsOf(places)
        .map(({ name }) => `--${name}`)
        .join(' ')}
        set skip 1
      case '-*'
      case '*'
        set -a words $word
    end
  end
  test "$words" = "$argv"
end

complete -c institute -f
${places.flatMap(linesOf).join('\n')}`
