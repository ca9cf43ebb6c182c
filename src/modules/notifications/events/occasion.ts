import type { TenantInfo } from '#kernel/actor.ts'
import type { EventData, EventType } from '#kernel/events.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { ChannelName } from '../tables.ts'
import type { Formats } from '../texts/formats.ts'
import type { Found, Person } from '../recipients/people.ts'
import type { Values } from '../texts/render.ts'
import type { LanguageTexts } from '../texts/language-texts.ts'

/** What a text is written with: the language's formats and words, and who reads it. */
export interface Writing {
  f: Formats
  words: LanguageTexts
  person: Person
}

/** Something that people are told of. */
export interface Occasion {
  /** The id of the event. Nobody is told twice of one source over one channel. */
  sourceId: string
  templateKey: string
  /** The branch that it concerns; null: the whole institute. */
  branchId: string | null
  /** The ids of the records that it is about. */
  payload: Record<string, string>
  hearers: readonly Found[]
  /** Over which channels it is told, where the institute uses them; absent: all. */
  channels?: readonly ChannelName[]
  /** The values of the text's own variables. */
  values(writing: Writing): Values
}

/** An event as the job that tells of it has it. */
export interface Heard<T extends EventType> {
  id: string
  data: EventData[T]
}

export interface Telling {
  whole: ScopedDb
  tenant: TenantInfo
  /** The last student of the slice before; null: this is the first one. */
  after: string | null
}

export interface Told {
  occasions: Occasion[]
  /** The last student of this slice; null: nobody is left. */
  next: string | null
  /** When summaries are due of what is not told one by one. */
  summaries?: readonly string[]
}

/** Finds what events of one type tell, and whom. Events of records that are gone tell nothing. */
export type Tell<T extends EventType> = (telling: Telling, events: readonly Heard<T>[]) => Promise<Told>

/** The names of the students because of whom a person is told. */
export const studentsOf = ({ person, words }: Writing): string => person.students.join(words.and)
