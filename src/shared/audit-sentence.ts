import { kindOf, verbOf, type Entry, type Kind } from './audit-acts.ts'
import { nameIn, type Said } from './audit-changes.ts'

/** Who did it. @param accounts what the accounts are called that the reader may know */
export const whoOf = (
  { actorType, actorUserId, actorName, entityType, entityId }: Entry,
  { words, accounts }: Pick<Telling, 'words' | 'accounts'>,
): string => {
  if (actorName !== null) return actorName
  // Whoever signs in is known once they have.
  const account = actorType === 'public' && entityType === 'user' ? entityId : actorUserId
  const name = accounts.get(account ?? '')
  if (name !== undefined) return name
  if (actorType === 'system') return words.server
  if (actorType === 'public') return entityType === 'user' ? words.somebody : words.website
  if (actorType === 'platform_admin') return words.operator
  return actorType === 'api_key' ? words.program : words.somebody
}

/** How it came in, where nobody typed it; ''. */
export const wayOf = ({ actorType, actorUserId, channel }: Entry & { channel: string }, { words }: Said): string[] => [
  ...(actorType === 'api_key' && actorUserId !== null ? [words.byProgram] : []),
  ...(channel === 'mcp' ? [words.byAssistant] : []),
]

/** For a reader: in their language, with what they may know. */
export interface Telling extends Said {
  /** What accounts are called. */
  accounts: ReadonlyMap<string, string>
}

/** Whose account it is, where somebody else did it: the entry names it by its id alone. */
const accountOf = ({ actorType, entityType, entityId, actorUserId }: Entry, accounts: Telling['accounts']): string =>
  entityType === 'user' && actorType !== 'public' && entityId !== actorUserId
    ? (accounts.get(entityId ?? '') ?? '')
    : ''

const given = (names: readonly (string | null)[]): string[] => names.filter((name) => name !== null)

/** What the record is called, or whose it is; ''. */
export const recordOf = (entry: Entry, { accounts, format }: Telling): string =>
  nameIn(entry) || accountOf(entry, accounts) || format.commas(given([entry.studentName, entry.groupName]))

/** What kind of record it is. */
export const whatOf = (entry: Entry, { words }: Said): string => words.kinds[kindOf(entry) as Kind] ?? words.something

/** Who did what, as a sentence. @param name what the record is called; '': who reads it sees which one */
export const sentenceOf = (entry: Entry, telling: Telling, name = recordOf(entry, telling)): string =>
  telling.words.did(whoOf(entry, telling), telling.words.verbs[verbOf(entry)], whatOf(entry, telling), name)
