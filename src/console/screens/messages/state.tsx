import type { Schemas } from '../../api/client.ts'
import { Badge, type Meaning } from '../../parts/notice.tsx'
import type { Logged } from '../../records/message/reads.ts'
import type { Format } from '../../words/format.ts'
import { useWords } from '../../words/language.tsx'
import type { Words } from '../../words/words.ts'

type State = keyof Words['messages']['states']

const MEANINGS: Readonly<Partial<Record<State, Meaning>>> = {
  queued: 'info',
  kept: 'warn',
  quiet: 'info',
  sent: 'good',
  read: 'good',
  failed: 'bad',
}

export const STATUSES = ['queued', 'sent', 'failed', 'skipped'] as const satisfies readonly Logged['status'][]

/** Whether it waits for a mailbox: it was never tried. */
export const isKept = ({ status, because }: Pick<Logged, 'status' | 'because'>): boolean =>
  status === 'queued' && because === 'not_set_up'

/** Whether it did not go out yet, and is tried again. */
export const isTriedAgain = ({ status, because, reason, nextAttemptAt }: Logged): boolean =>
  status === 'queued' && nextAttemptAt !== null && because !== 'quiet_hours' && reason !== null

const stateOf = ({ status, because, readAt }: Logged): State => {
  if (status === 'queued' && because === 'quiet_hours') return 'quiet'
  if (isKept({ status, because })) return 'kept'
  return readAt === null ? status : 'read'
}

/** How a message stands, in a word. */
export const State = ({ message }: { message: Logged }) => {
  const { messages: words } = useWords()
  const state = stateOf(message)
  const meaning = MEANINGS[state]
  return <Badge {...(meaning && { meaning })}>{words.states[state]}</Badge>
}

/** Why it stands so: until when it waits, or what kept it; undefined: there is nothing to say. */
export const saidOf = (message: Logged, { messages: words }: Words, format: Format): string | undefined => {
  const { status, because, reason, nextAttemptAt } = message
  if (status === 'queued' && nextAttemptAt !== null) {
    const when = format.moment(nextAttemptAt)
    if (because === 'quiet_hours') return words.waitsQuiet(when)
    if (isTriedAgain(message)) return words.triedAgain(when)
  }
  if (isKept(message)) return words.waitsMailbox
  return status === 'sent' ? undefined : whyOf(because, reason, words)
}

/** A reason in words; what the other side said stays as it said it. */
export const whyOf = (
  because: Schemas['NotificationLogEntry']['because'],
  reason: string | null,
  words: Words['messages'],
): string | undefined => {
  if (because !== null) return words.because[because]
  return reason === null ? undefined : words.otherSide(reason)
}
