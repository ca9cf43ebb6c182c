import { readSettings } from '#modules/settings/index.ts'
import { LOCALES } from '#shared/locale.ts'
import type { Preference } from '../preferences/lookup.ts'
import { preferencesOf } from '../preferences/lookup.ts'
import type { Sender } from '../recipients/audience.ts'
import type { Person } from '../recipients/people.ts'
import type { Queued } from '../send-schemas.ts'
import type { ChannelName } from '../tables.ts'
import type { TextsOf } from '../texts/choose-text.ts'
import { planFor, type Content } from './plan.ts'
import { quietOf } from './quiet.ts'
import { segmentsOf } from './segments.ts'
import { isCounted, monthOf, readUsage } from './usage.ts'

/** What a message by hand comes to, before it goes. */
export class Outlook {
  readonly #channels: readonly ChannelName[]
  /** For each channel, somebody who gets it there. */
  readonly #first = new Map<ChannelName, Person>()
  readonly #messages = new Map<ChannelName, number>()
  readonly #segments: number[] = []
  #atOnce = 0

  constructor(channels: readonly ChannelName[]) {
    this.#channels = channels
  }

  /** Somebody gets it over the channel. */
  add(person: Person, channel: ChannelName, { digestMode }: Preference): void {
    if (!this.#first.has(channel)) this.#first.set(channel, person)
    this.#messages.set(channel, (this.#messages.get(channel) ?? 0) + 1)
    if (channel !== 'in_app' && (person.userId === null || digestMode === 'immediate')) this.#atOnce += 1
  }

  /** What somebody gets as a text message of its own. */
  addText(body: string): void {
    this.#segments.push(segmentsOf(body))
  }

  get queued(): number {
    return [...this.#messages.values()].reduce((all, one) => all + one, 0)
  }

  /** The channels over which it reaches somebody. */
  get used(): ChannelName[] {
    return [...this.#messages.keys()]
  }

  /** How many go over each channel and when, and what that is of the plan. */
  async told(
    { whole, tenant, now }: Sender,
    templateKey: string,
  ): Promise<Pick<Queued, 'channels' | 'counted' | 'room'>> {
    const mayGoAt = await quietOf(whole, await readSettings(whole), { now, zone: tenant.timezone })
    const { total, limit } = await readUsage(whole, monthOf(now, tenant), tenant)
    return {
      channels: this.#channels.map((channel) => {
        const branchId = this.#first.get(channel)?.branchId ?? null
        const at = mayGoAt({ channel, template_key: templateKey, branch_id: branchId, happens_at: null }, now)
        return {
          channel,
          messages: this.#messages.get(channel) ?? 0,
          goesAt: at === now ? null : at,
          segments: channel === 'sms' ? this.#parts() : null,
        }
      }),
      counted: isCounted(templateKey) ? this.#atOnce : 0,
      room: limit === null ? null : Math.max(0, limit - total),
    }
  }

  #parts(): { least: number; most: number; all: number } | null {
    if (this.#segments.length === 0) return null
    let [least, most, all] = [Infinity, 0, 0]
    for (const parts of this.#segments) {
      least = Math.min(least, parts)
      most = Math.max(most, parts)
      all += parts
    }
    return { least, most, all }
  }
}

/** How many people read which language. */
export const languagesOf = (people: readonly Person[]): Queued['languages'] =>
  LOCALES.flatMap((locale) => {
    const readers = people.filter((person) => person.locale === locale).length
    return readers > 0 ? [{ locale, people: readers }] : []
  })

interface Written {
  content: Content
  people: readonly Person[]
  channels: readonly ChannelName[]
  texts: TextsOf
  /** Where one signs in. */
  link: string
}

/** What somebody of each language reads, over each of the channels. */
export const textsFor = async (
  { whole, tenant }: Sender,
  { content, people, channels, texts, link }: Written,
): Promise<Queued['texts']> => {
  const readers = LOCALES.flatMap((locale) => people.find((person) => person.locale === locale) ?? [])
  if (readers.length === 0) return []
  const planning = { tenant, link, texts, preferenceOf: await preferencesOf(whole, readers) }
  return readers.flatMap((person) =>
    channels.map((channel) => {
      const { title, body } = planFor(planning, content, person, channel)
      return { channel, locale: person.locale, recipient: person.name, title, body }
    }),
  )
}
