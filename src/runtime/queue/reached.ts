import * as v from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { explained, named } from '#kernel/values/named.ts'
import { id } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'

/*
 * Whether a message reaches whom it is for. What somebody sends on purpose is refused where it reaches nobody: they would
 * take it for sent.
 */

/** Why a message reaches somebody over no channel. */
const UNREACHED_BECAUSE = ['no_address', 'not_set_up', 'opted_out', 'text_off'] as const
export type UnreachedBecause = (typeof UNREACHED_BECAUSE)[number]

/** Whom a message is for. */
export interface Addressee {
  kind: 'guardian' | 'student'
  id: string
}

/** The messages that somebody sends to a family on purpose, by the keys of their texts. */
export type SentText = 'invoice.issued' | 'invoice.reminder_requested' | 'receipt.sent' | 'progress_report.sent'

/**
 * Finds those of some people whom a message would reach over no channel, and why, by their ids. Messages are a module of
 * their own, which needs those that ask.
 */
export type FindUnreached = (
  place: { whole: ScopedDb; tenant: TenantInfo },
  text: SentText,
  people: readonly Addressee[],
) => Promise<ReadonlyMap<string, { name: string; because: UnreachedBecause; canCall: boolean }>>

const Person = named(
  'UnreachedPerson',
  v.object({ kind: v.picklist(['guardian', 'student', 'staff', 'user']), id, name: v.string() }),
  {
    kind: 'Whose record it is; `user`: a member, by their account.',
    id: 'The id of that record, to which an address can be added.',
    name: 'What they are called.',
  },
)

export const unreachedFields = { recipient: Person, because: v.picklist(UNREACHED_BECAUSE), canCall: v.boolean() }
export const unreachedWords = {
  recipient: 'Whom the message was for.',
  because:
    '`no_address`: their record has no address of a channel that is set up; `not_set_up`: it has an email address, and the institute has no mailbox, or the channel that was asked for is not set up; `opted_out`: they want no such messages; `text_off`: the institute has switched this text off.',
  canCall:
    'Whether they can be told by phone: their record has one, and they did not say that they want no messages. With `toCall` they stand on the list of GET /notifications/calls.',
}

/** Whether the office can tell somebody whom no message reaches. */
export const canBeCalled = (because: UnreachedBecause, phone: string | null): boolean =>
  phone !== null && (because === 'no_address' || because === 'not_set_up')

export const NobodyReached = failure(
  'CONFLICT',
  'nobody_reached',
  'There is no channel over which this would reach the person: add an address to their record, or set the channel up.',
  {
    details: {
      schema: explained(v.object(unreachedFields), {
        ...unreachedWords,
        recipient: 'Whom the message was for; of several whom it does not reach, the first.',
      }),
      example: {
        recipient: { kind: 'guardian' as const, id: '01890a5d-ac96-774b-bcce-b302099a8057', name: 'Ruth Levi' },
        because: 'no_address' as const,
        canCall: true,
      },
    },
  },
)

/**
 * Checks that a message reaches one of those for whom it is.
 * @param toCall whether it is enough that the office can call the first of them
 * @throws NobodyReached, which names the first
 */
export const mustReach = async (
  findUnreached: FindUnreached,
  place: Parameters<FindUnreached>[0],
  { text, to, toCall = false }: { text: SentText; to: readonly Addressee[]; toCall?: boolean },
): Promise<void> => {
  const unreached = await findUnreached(place, text, to)
  const [first] = to
  const found = first && unreached.get(first.id)
  if (!found || to.some(({ id: one }) => !unreached.has(one))) return
  const { name, because, canCall } = found
  if (toCall && canCall) return
  throw NobodyReached({ recipient: { ...first, name }, because, canCall })
}
