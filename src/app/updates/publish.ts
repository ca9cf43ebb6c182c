import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Signer } from '#modules/licensing/index.ts'
import { replaceFile } from '#app/config/replace-file.ts'
import { open, readEnvelope, seal, type Envelope } from './envelope.ts'
import { readKeys, type Keys, type KeysDocument } from './keys.ts'
import { compareVersions, Manifest, type News, type Release, type UpdateChannel } from './manifest.ts'

/** Older ones stay in the files, and are no step to anywhere any more. */
const MOST_RELEASES = 20
const DAY_MILLIS = 24 * 3600 * 1000

const chainIn = (folder: string): Envelope[] => {
  const keys = path.join(folder, 'keys')
  if (!existsSync(keys)) return []
  return readdirSync(keys)
    .map((name) => Number(/^(\d+)\.json$/.exec(name)?.[1]))
    .filter((number) => Number.isInteger(number))
    .toSorted((one, other) => one - other)
    .map((number) => readEnvelope(readFileSync(path.join(keys, `${number}.json`))))
}

/** The keys that count for the folder now. @param pinned those of the oldest builds */
const keysIn = (folder: string, pinned: KeysDocument): Keys => readKeys(pinned, chainIn(folder))

const lay = (file: string, envelope: Envelope): void => {
  mkdirSync(path.dirname(file), { recursive: true })
  replaceFile(file, `${JSON.stringify(envelope)}\n`)
}

/**
 * Publishes who signs from now on.
 * @param signers enough of the former root keys, and enough of the new ones
 * @throws UpdateRefused where an install would refuse it
 */
export const publishKeys = (
  folder: string,
  { pinned, next, signers }: { pinned: KeysDocument; next: KeysDocument; signers: readonly Signer[] },
): void => {
  const envelope = seal('keys', next, signers)
  const before = keysIn(folder, pinned)
  const after = readKeys(pinned, [...chainIn(folder), envelope])
  if (after.version !== before.version + 1) throw new Error(`The next version of the keys is ${before.version + 1}.`)
  lay(path.join(folder, 'keys', `${next.version}.json`), envelope)
}

export interface NewRelease {
  version: string
  /** The oldest version from which it was tried. */
  from: string
  news: News
  /** The archives by what the machine is. */
  archives: Readonly<Record<string, string>>
}

/** A list that is there, made by the keys of today or by former ones. @throws UpdateRefused for anybody else's */
const contentOf = (envelope: Envelope, folder: string, pinned: KeysDocument): Manifest => {
  const chain = chainIn(folder)
  for (let known = chain.length; ; known -= 1) {
    try {
      return open('manifest', envelope, readKeys(pinned, chain.slice(0, known)).release, Manifest).content
    } catch (error) {
      if (known === 0) throw error
    }
  }
}

interface Publishing {
  pinned: KeysDocument
  channel: UpdateChannel
  signers: readonly Signer[]
  now: Date
  /** How long the list is good; it has to be signed anew before. */
  validDays: number
  /** undefined: the list alone is signed anew. */
  release?: NewRelease | undefined
}

const laidRelease = (folder: string, { archives, ...release }: NewRelease): Release => {
  mkdirSync(path.join(folder, 'files'), { recursive: true })
  const files = Object.entries(archives).map(([target, archive]) => {
    const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex')
    const url = `files/${sha256}.tar.gz`
    copyFileSync(archive, path.join(folder, url))
    return [target, { url, size: statSync(archive).size, sha256 }] as const
  })
  return { ...release, files: Object.fromEntries(files) }
}

/**
 * Publishes a release, or signs the list anew, in a folder that any server of static files shows, or a stick carries.
 * @returns the list @throws Error where it would go back, or an install would not believe it
 */
export const publishManifest = (folder: string, how: Publishing): Manifest => {
  const { pinned, channel, signers, now, validDays, release } = how
  const file = path.join(folder, channel, 'manifest.json')
  const { release: signing } = keysIn(folder, pinned)
  const before = existsSync(file) ? contentOf(readEnvelope(readFileSync(file)), folder, pinned) : undefined
  if (before && Date.parse(before.issuedAt) > now.getTime()) {
    throw new Error(`The list that is there is of ${before.issuedAt}: the clock of this computer is wrong.`)
  }
  const highest = before?.releases[0]
  if (release && highest && compareVersions(release.version, highest.version) <= 0) {
    throw new Error(`Version ${highest.version} is published: ${release.version} is not newer.`)
  }
  if (!release && !before) throw new Error('There is no list yet to sign anew.')
  const releases = [...(release ? [laidRelease(folder, release)] : []), ...(before?.releases ?? [])]
  const content: Manifest = {
    format: 1,
    channel,
    sequence: (before?.sequence ?? 0) + 1,
    issuedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + validDays * DAY_MILLIS).toISOString(),
    releases: releases.slice(0, MOST_RELEASES),
  }
  const envelope = seal('manifest', content, signers)
  open('manifest', envelope, signing, Manifest)
  lay(file, envelope)
  return content
}
