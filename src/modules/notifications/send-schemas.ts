import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, date, emptyableProse, id, list, locale, orNull, text, ts, uuid } from '#kernel/values/schema.ts'
import { unreachedFields, unreachedWords } from '#runtime/queue/reached.ts'
import { channel } from './schemas.ts'
import { CHANNELS } from './tables.ts'

/** What is sent by hand: to whom, and what comes of it. */

const words = {
  templateKey: 'The key of the text.',
  channel: 'Over which channel.',
  channels: 'The channels.',
  title: 'One line.',
  recipient: 'Who it is for.',
  queued: 'How many messages were queued.',
  skipped: 'Who is not told, and why.',
}

const RECIPIENTS_AT_MOST = 10_000
const DATA_AT_MOST = 50
const ids = v.optional(
  v.pipe(v.array(uuid), v.maxLength(RECIPIENTS_AT_MOST, `Must name at most ${RECIPIENTS_AT_MOST} records.`)),
  [],
)

const nobodyNamed = ({ studentIds, guardianIds, userIds, groupId }: v.InferOutput<typeof NamedOnes>): boolean =>
  groupId === undefined && studentIds.length + guardianIds.length + userIds.length === 0

const NamedOnes = v.object({ studentIds: ids, guardianIds: ids, userIds: ids, groupId: v.optional(uuid) })

const Recipients = v.pipe(
  NamedOnes,
  v.check(
    ({ studentIds, guardianIds, userIds }) =>
      studentIds.length + guardianIds.length + userIds.length <= RECIPIENTS_AT_MOST,
    `Must name at most ${RECIPIENTS_AT_MOST} records in all.`,
  ),
)

export const AUDIENCE_KINDS = ['group', 'branch', 'debtors', 'absent'] as const
const GROUPS_AT_MOST = 50

export const Audience = named(
  'NotificationAudience',
  v.pipe(
    v.object({
      kind: v.picklist(AUDIENCE_KINDS),
      groupIds: v.optional(
        v.pipe(v.array(uuid), v.maxLength(GROUPS_AT_MOST, `Must name at most ${GROUPS_AT_MOST} groups.`)),
        [],
      ),
      branchId: v.optional(uuid),
      date: v.optional(date),
      isOverdue: v.optional(v.boolean(), true),
      to: v.optional(v.picklist(['students', 'guardians', 'both']), 'both'),
    }),
    v.forward(
      v.check(({ kind, groupIds }) => kind !== 'group' || groupIds.length > 0, 'Must name a group.'),
      ['groupIds'],
    ),
    v.forward(
      v.check(({ kind, branchId }) => kind !== 'branch' || branchId !== undefined, 'Must name a branch.'),
      ['branchId'],
    ),
  ),
  {
    kind: '`group`: the active students of groups and their guardians; `branch`: those who belong to a branch; `debtors`: who pays invoices that are not paid; `absent`: students who were marked absent on a day, and their guardians.',
    groupIds: 'The groups; beside another kind they narrow it.',
    branchId: 'The branch; beside another kind it narrows it.',
    date: 'The day of the absence; left out: today.',
    isOverdue: 'Of who owes: only those whose invoices are overdue; false: all whose invoices are not paid.',
    to: 'Which of them. `both`: a student who has neither an account nor an email address nor a phone is told by the guardians, where there are any. Of who owes it is always who pays.',
  },
)
export type Audience = v.InferOutput<typeof Audience>

const Data = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(50, 'Must have names of at most 50 characters.')), emptyableProse(5000)),
  v.maxEntries(DATA_AT_MOST, `Must have at most ${DATA_AT_MOST} values.`),
  v.check(
    (data) => Object.values(data).reduce((all, value) => all + (value?.length ?? 0), 0) <= 10_000,
    'Must have at most 10000 characters in all.',
  ),
)

export const NewMessage = named(
  'NewNotification',
  v.pipe(
    v.object({
      templateKey: text(150),
      channels: v.pipe(
        v.array(channel),
        v.minLength(1, 'Must name a channel.'),
        v.maxLength(CHANNELS.length, `Must have at most ${CHANNELS.length} entries.`),
      ),
      recipients: v.optional(
        named('NotificationRecipients', Recipients, {
          studentIds: 'Students themselves, not their guardians.',
          guardianIds: 'Guardians.',
          userIds: 'Members of the institute, by their accounts.',
          groupId: 'The active students of a group and their guardians.',
        }),
      ),
      audience: v.optional(Audience),
      data: v.optional(Data),
      toCall: v.optional(v.boolean(), false),
      dryRun: v.optional(v.boolean(), false),
    }),
    v.forward(
      v.check(
        ({ recipients, audience }) => audience !== undefined || (recipients !== undefined && !nobodyNamed(recipients)),
        'Must name somebody.',
      ),
      ['recipients'],
    ),
  ),
  {
    ...words,
    recipients: 'Who it is for, by name.',
    audience: 'Who it is for, in a word; beside `recipients` they get it too. Everybody gets it once.',
    data: 'Values for the text’s variables: `title` is {{data.title}}.',
    toCall:
      'true: whom it reaches over none of the channels and who has a phone stands on the list of GET /notifications/calls, with the text, and somebody of the office tells them; then it is also sent where it reaches nobody else.',
    dryRun: 'true: nothing is sent, and the reply says what would be (200).',
  },
)
export type NewMessage = v.InferOutput<typeof NewMessage>

const PlannedSegments = named('PlannedSegments', v.object({ least: count, most: count, all: count }), {
  least: 'The parts of the shortest of them.',
  most: 'The parts of the longest of them.',
  all: 'The parts of all of them.',
})

const PlannedChannel = named(
  'PlannedChannel',
  v.object({ channel, messages: count, goesAt: orNull(ts), segments: orNull(PlannedSegments) }),
  {
    ...words,
    messages: 'How many people it goes to over this channel.',
    goesAt: 'When the quiet hours end for which it waits; null: it goes at once.',
    segments:
      'In how many parts text messages go, which providers charge for one by one: 160 letters of GSM 7-bit, or 153 in each of several; 70 and 67 of any others. What goes into a digest is not in it. null: another channel, or nobody gets it, or it was not only asked.',
  },
)

const PlannedLanguage = named('PlannedLanguage', v.object({ locale, people: count }), {
  locale: 'The language that they read.',
  people: 'How many people read it.',
})

const PlannedText = named(
  'PlannedText',
  v.object({ channel, locale, recipient: v.string(), title: v.string(), body: v.string() }),
  {
    ...words,
    locale: 'The language of who reads it.',
    recipient: 'The name of the one to whom it is written like this.',
    body: 'Plain text.',
  },
)

const TeacherBudget = named('TeacherBudget', v.object({ most: count, left: count, opensAt: ts }), {
  most: 'How many messages a day teachers may write to the families of a group.',
  left: 'How many of them are left today, before this one.',
  opensAt: 'When the next day begins.',
})

export const Queued = named(
  'QueuedNotifications',
  v.object({
    batchId: orNull(id),
    dryRun: v.boolean(),
    people: count,
    queued: count,
    skipped: list(
      named('SkippedRecipient', v.object({ recipient: id, reason: v.string() }), {
        recipient: 'The id that was given, or that of the person.',
        reason: 'Why, in words.',
      }),
    ),
    channels: list(PlannedChannel),
    languages: list(PlannedLanguage),
    unreached: list(named('UnreachedRecipient', v.object(unreachedFields), unreachedWords)),
    called: count,
    counted: count,
    room: orNull(count),
    texts: list(PlannedText),
    budget: orNull(TeacherBudget),
  }),
  {
    ...words,
    batchId: 'Names everything that was sent by this; null: nothing was, as it was only asked.',
    dryRun: 'Whether it was only asked.',
    people: 'How many people it is for, each once.',
    channels: 'How many messages go over each channel that was asked for.',
    languages: 'How many people read which language.',
    unreached: 'Whom it reaches over none of these channels, and why.',
    called: 'How many of them the office tells, as `toCall` asks.',
    counted: 'How many messages count against the plan. What goes into a digest counts with it, and not here.',
    room: 'How many more messages the plan allows in this month, before these; null: no limit.',
    texts:
      'What they read, in each of their languages and over each channel: of one of them each. Only where it was asked.',
    budget: 'Where it is written as the teacher of a group: how often today; null: it is not.',
  },
)
export type Queued = v.InferOutput<typeof Queued>
