import * as v from 'valibot'
import { LOCALES, type Locale } from '#shared/locale.ts'
import { open, type Envelope } from './envelope.ts'
import type { Keys } from './keys.ts'
import { UpdateRefused } from './refused.ts'

export const UPDATE_CHANNELS = ['stable', 'early'] as const
export type UpdateChannel = (typeof UPDATE_CHANNELS)[number]

export const isVersion = (text: string): boolean => /^\d{1,6}(?:\.\d{1,6}){2}$/.test(text)
const versionText = v.pipe(v.string(), v.check(isVersion, 'no version'))

const numbersOf = (version: string): number[] => version.split('.').map(Number)
export const compareVersions = (one: string, other: string): number => {
  const [a, b] = [numbersOf(one), numbersOf(other)]
  return a.map((part, n) => part - (b[n] ?? 0)).find((difference) => difference !== 0) ?? 0
}

const instantText = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'no time'),
)

/** Below the vendor's address or the folder; names with nothing in them that leads out of it. */
const place = v.pipe(v.string(), v.regex(/^\w[\w.-]*(?:\/\w[\w.-]*)*$/), v.maxLength(300))

/** The largest release that is taken: much more than there will ever be. */
export const LARGEST_RELEASE = 1024 ** 3

export const ReleaseFile = v.object({
  url: place,
  size: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(LARGEST_RELEASE)),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
})
export type ReleaseFile = v.InferOutput<typeof ReleaseFile>

const lines = v.pipe(v.array(v.pipe(v.string(), v.maxLength(500))), v.maxLength(50))
/** A line for each thing that is new, by the reader's language. */
export const News = v.object(
  Object.fromEntries(LOCALES.map((locale) => [locale, lines])) as Record<Locale, typeof lines>,
)
export type News = v.InferOutput<typeof News>

const Release = v.object({
  version: versionText,
  /** The oldest version from which one step leads here. */
  from: versionText,
  news: News,
  /** By what the machine is: `linux-x64`. */
  files: v.record(v.string(), ReleaseFile),
})
export type Release = v.InferOutput<typeof Release>

export const Manifest = v.object({
  format: v.literal(1),
  channel: v.picklist(UPDATE_CHANNELS),
  /** Only ever grows. */
  sequence: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  issuedAt: instantText,
  /** Signed anew in time, so that nobody can keep an install from what is new for long without its being seen. */
  expiresAt: instantText,
  releases: v.pipe(v.array(Release), v.maxLength(100)),
})
export type Manifest = v.InferOutput<typeof Manifest>

/** What an install remembers of the manifests that it has seen. */
export interface Seen {
  /** The highest sequence by the id of each key: what a thief's key has said dies with that key. */
  sequences: Readonly<Record<string, number>>
  /** The latest time that was ever seen, in milliseconds: a clock that is set back brings no old manifest to life. */
  latest: number
}

export const NOTHING_SEEN: Seen = { sequences: {}, latest: 0 }

export interface Offer {
  version: string
  news: News
  file: ReleaseFile
}

export interface Offered {
  /** The newest version that this one can be taken to at once; undefined: there is none. */
  offer: Offer | undefined
  /** Why there is none although there is a newer one; undefined: there is no newer one. */
  obstacle: 'from_too_old' | 'wrong_machine' | undefined
  /** The newest version that there is; null: none is newer than this one. */
  newest: string | null
  isExpired: boolean
  seen: Seen
}

interface Installed {
  channel: UpdateChannel
  version: string
  /** What the machine is. */
  target: string
  /** Milliseconds. */
  now: number
  seen: Seen
  /** It came by hand, on a stick: then its end is told and refuses nothing. */
  mayBeExpired?: boolean
}

/** Reads what is offered to this install. @throws UpdateRefused */
export const readManifest = (
  envelope: Envelope,
  { release: signing }: Pick<Keys, 'release'>,
  { channel, version, target, now, seen, mayBeExpired = false }: Installed,
): Offered => {
  const { content, signers } = open('manifest', envelope, signing, Manifest)
  if (content.channel !== channel) throw new UpdateRefused('wrong_channel', content.channel)
  for (const id of signers) {
    const highest = seen.sequences[id] ?? 0
    if (content.sequence < highest) {
      throw new UpdateRefused('manifest_rolled_back', `${content.sequence} after ${highest}`)
    }
  }
  const latest = Math.max(now, seen.latest)
  const isExpired = latest > Date.parse(content.expiresAt)
  if (isExpired && !mayBeExpired) throw new UpdateRefused('manifest_expired', content.expiresAt)
  const newer = content.releases
    .filter((release) => compareVersions(release.version, version) > 0)
    .toSorted((one, other) => compareVersions(other.version, one.version))
  const reachable = newer.filter(({ from }) => compareVersions(version, from) >= 0)
  const chosen = reachable.find(({ files }) => files[target] !== undefined)
  const file = chosen?.files[target]
  return {
    offer: chosen && file && { version: chosen.version, news: chosen.news, file },
    obstacle: chosen || newer.length === 0 ? undefined : reachable.length === 0 ? 'from_too_old' : 'wrong_machine',
    newest: newer[0]?.version ?? null,
    isExpired,
    seen: {
      sequences: { ...seen.sequences, ...Object.fromEntries(signers.map((id) => [id, content.sequence])) },
      // Where a stick's list has ended, the clock may be what is wrong: remembered, it would end every list after it.
      latest: Math.max(isExpired ? seen.latest : latest, Date.parse(content.issuedAt)),
    },
  }
}
