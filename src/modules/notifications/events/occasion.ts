import type { Locale } from '#shared/locale.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { EventData, EventType } from '#kernel/contract/events.ts'
import type { PayLinks } from '#modules/online-payments/index.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { ChannelName } from '../tables.ts'
import type { Formats } from '../texts/formats.ts'
import type { Person } from '../recipients/people.ts'
import type { Found } from '../recipients/records.ts'
import type { Values } from '../texts/render.ts'
import type { LanguageTexts } from '../texts/language-texts.ts'

/** What a text is written with: the language's formats and words, and who reads it. */
export interface Writing {
  f: Formats
  words: LanguageTexts
  locale: Locale
  person: Person
}

/** Something that people are notified of. */
export interface Occasion {
  /** The id of the event. One source makes at most one message to a person over a channel. */
  sourceId: string
  templateKey: string
  /** The branch that it concerns; null: the whole institute. */
  branchId: string | null
  /** The ids of the records that it is about. */
  payload: Record<string, string>
  recipients: readonly Found[]
  /** Over which channels people are notified, as far as the institute uses them; absent: all. */
  channels?: readonly ChannelName[]
  /** When that happens of which it tells: quiet hours do not keep it back so long. Absent: it can be told at any time. */
  happensAt?: string
  /** The values of the text's own variables. */
  values(writing: Writing): Values
}

/** An event as the payload of the job has it. */
export interface JobEvent<T extends EventType> {
  id: string
  data: EventData[T]
}

export interface NotifierContext {
  whole: ScopedDb
  tenant: TenantInfo
  now: string
  /** Links by which invoices are paid by card. */
  payLinks: PayLinks
  /** The last student of the slice before; null: this is the first one. */
  after: string | null
}

export interface NotifierResult {
  occasions: Occasion[]
  /** The last student of this slice; null: nobody is left. */
  next: string | null
  /** When the summaries are due of what makes no messages of its own. */
  summaries?: readonly string[]
}

/** Finds what people are notified of by events of one type. Events of records that are gone yield nothing. */
export type Notifier<T extends EventType> = (
  context: NotifierContext,
  events: readonly JobEvent<T>[],
) => Promise<NotifierResult>

/** The names of the students because of whom a person is notified. */
export const studentsOf = ({ person, words }: Writing): string => person.students.join(words.and)
