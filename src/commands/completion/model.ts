import { flagOf } from '#app/config/read-config.ts'
import type { Command, Commands, Proposed } from '../command.ts'
import { settingsUsed } from '../help.ts'

/** A flag as shells complete it, after `--`. */
export interface Flag extends Proposed {
  name: string
  about: string
  takesValue: boolean
}

/** A place on the command line, and what a shell proposes there. */
export interface CompletionPoint extends Proposed {
  /** The words so far, without flags and their values: a command, or what begins one. */
  words: string
  about: string
  /** The words that lead on to a command, with what they mean. */
  next: readonly (readonly [word: string, about: string])[]
  flags: readonly Flag[]
}

const HELP: Flag = { name: 'help', about: 'Say what the command does', takesValue: false }
const VERSION: Flag = { name: 'version', about: 'Print the version', takesValue: false }

const flagsOf = (command: Command): Flag[] => [
  ...Object.entries(command.options ?? {}).map(([name, { value, about, choices, isPath }]) => ({
    name,
    about,
    takesValue: value !== undefined,
    ...(choices && { choices }),
    ...(isPath && { isPath }),
  })),
  ...settingsUsed(command).map(([key, { about, choices, isPath }]) => ({
    name: flagOf(key),
    about,
    takesValue: true,
    ...(choices && { choices }),
    ...(isPath && { isPath }),
  })),
  HELP,
]

/** @param inPlaceOfNone the command that runs when none is given */
export const completionPoints = (commands: Commands, inPlaceOfNone: Command): CompletionPoint[] => {
  const names = Object.keys(commands)
  const secondWords = (first: string): string[] =>
    names.filter((name) => name.startsWith(`${first} `)).map((name) => name.slice(first.length + 1))
  const firstWords = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))]
  const groups = firstWords.filter((word) => !commands[word])
  return [
    {
      words: '',
      about: '',
      next: firstWords.map((word) => [word, commands[word]?.about ?? secondWords(word).join(', ')]),
      flags: [...flagsOf(inPlaceOfNone), VERSION],
    },
    ...groups.map((first) => ({
      words: first,
      about: '',
      next: secondWords(first).map((word) => [word, commands[`${first} ${word}`]?.about ?? ''] as const),
      flags: [HELP],
    })),
    ...Object.entries(commands).map(([words, command]) => ({
      ...command.proposed,
      words,
      about: command.about,
      next: secondWords(words).map((word) => [word, commands[`${words} ${word}`]?.about ?? ''] as const),
      flags: flagsOf(command),
    })),
  ]
}

/** Every flag that takes a value, once. */
export const valueFlagsOf = (places: readonly CompletionPoint[]): Flag[] => [
  ...new Map(
    places
      .flatMap(({ flags }) => flags)
      .filter(({ takesValue }) => takesValue)
      .map((flag) => [flag.name, flag]),
  ).values(),
]

/** Text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
