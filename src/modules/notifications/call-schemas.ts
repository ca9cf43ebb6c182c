import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, id, locale, orNull, pageQuery, ts, uuid } from '#kernel/values/schema.ts'
import { CALL_STATUSES, CALL_WAYS, CALLED_KINDS } from './tables.ts'

/** What the office tells people itself, whom no message reaches. */

const status = v.picklist(CALL_STATUSES)
const how = v.picklist(CALL_WAYS)
const toldHow = v.picklist([...CALL_WAYS, 'not_needed'])
export type ToldHow = v.InferOutput<typeof toldHow>

const words = {
  sourceId: 'The event that it tells of, or the batch in which it was sent by hand.',
  templateKey: 'The key of the text.',
  recipient: 'Whom to tell.',
  phone: 'The phone that their record has now; null: none any more.',
  title: 'What it is about, in one line.',
  body: 'What to tell them: plain text, in their language.',
  payload: 'The ids of the records that it is about, by name.',
  status: '`open`: nobody told them yet; `told`: somebody did; `not_needed`: somebody decided that nobody has to.',
  how: 'How they were told; null: they were not.',
  toldAt: 'When somebody told them, or decided that nobody has to; null: nobody did.',
  toldByName: 'Who did, as they were called then; null: nobody did.',
}

export const Call = named(
  'NotificationCall',
  v.object({
    id,
    sourceId: id,
    templateKey: v.string(),
    recipient: named('CalledRecipient', v.object({ kind: v.picklist(CALLED_KINDS), id, name: v.string() }), {
      kind: 'Whose record it is.',
      id: 'The id of that record.',
      name: 'What they are called.',
    }),
    phone: orNull(v.string()),
    locale,
    title: v.string(),
    body: v.string(),
    payload: v.record(v.string(), v.string()),
    status,
    how: orNull(how),
    toldAt: orNull(ts),
    toldByName: orNull(v.string()),
    createdAt: ts,
  }),
  words,
)
export type Call = v.InferOutput<typeof Call>

export const CallQuery = explained(
  pageQuery({ status: v.optional(status), sourceId: v.optional(uuid), recipientId: v.optional(uuid) }),
  {
    ...words,
    status: 'Only those that stand so.',
    sourceId: 'Only those of this message (`batchId`), or of this event.',
    recipientId: 'Only those to this student or guardian.',
  },
)

export const FamilyReach = named(
  'FamilyReach',
  v.object({ people: count, reached: count, toCall: count, unreached: count, hasMailbox: v.boolean() }),
  {
    people: 'How many there are, each once.',
    reached: 'How many of them a message reaches now.',
    toCall: 'How many it does not reach, who have a phone: the office calls them.',
    unreached: 'How many can be told in neither way.',
    hasMailbox: 'Whether mails go out: without a mailbox they are kept.',
  },
)
export type FamilyReach = v.InferOutput<typeof FamilyReach>

export const ReachQuery = explained(v.object({ branchId: v.optional(uuid) }), {
  branchId: 'Only families of the groups of this branch.',
})

export const TellByHand = named('TellByHand', v.object({ how: toldHow }), {
  how: 'How they were told: by a call, from a telephone of the office over WhatsApp or as a text message, or otherwise; `not_needed`: nobody has to tell them any more.',
})

export const TellAllByHand = named('TellAllByHand', v.object({ sourceId: uuid, how: toldHow }), {
  sourceId: 'The message (`batchId`), or the event.',
  how: 'How they were told; `not_needed`: nobody has to tell them any more.',
})

export const ToldByHand = named('ToldByHand', v.object({ told: count }), {
  told: 'How many stood on the list and do not any more.',
})

export const AlreadyToldDetails = {
  schema: explained(v.object({ how, toldAt: ts, toldByName: v.string() }), words),
  example: { how: 'whatsapp' as const, toldAt: '2026-11-30T09:00:00.000Z', toldByName: 'Rana Haddad' },
}
