import { readFileSync } from 'node:fs'
import { readEnvelope, unverified, type Envelope } from './envelope.ts'
import { KeysDocument, readKeys, readPinned } from './keys.ts'
import { readManifest, type Offered, type Seen, type UpdateChannel } from './manifest.ts'
import { keysFileIn } from './places.ts'
import { UpdateRefused } from './refused.ts'
import type { Source } from './source.ts'

/** More statements about keys than there will be in the life of an install. */
const MOST_STATEMENTS = 50

/** The keys that came with the installed version. @throws UpdateRefused */
export const pinnedKeys = (programDir: string): KeysDocument => {
  let text: string
  try {
    text = readFileSync(keysFileIn(programDir), 'utf8')
  } catch {
    throw new UpdateRefused('no_keys', keysFileIn(programDir))
  }
  return readPinned(text)
}

interface Looking {
  programDir: string
  channel: UpdateChannel
  version: string
  target: string
  now: number
  seen: Seen
  /** The statements about keys that have been believed before. */
  known: readonly Envelope[]
  mayBeExpired?: boolean
}

export interface Found extends Offered {
  envelope: Envelope
  /** The statements about keys since the installed version, the new ones too. */
  chain: Envelope[]
}

/** Reads what the vendor offers. @throws UpdateRefused */
export const lookAt = async (source: Source, { programDir, known, ...installed }: Looking): Promise<Found> => {
  const pinned = pinnedKeys(programDir)
  const chain = known.filter((envelope) => unverified(envelope, KeysDocument).version > pinned.version)
  let keys = readKeys(pinned, chain)
  while (chain.length < MOST_STATEMENTS) {
    const bytes = await source.read(`keys/${keys.version + 1}.json`)
    if (!bytes) break
    chain.push(readEnvelope(bytes))
    const next = readKeys(pinned, chain)
    if (next.version === keys.version) throw new UpdateRefused('malformed', 'a statement about keys under another name')
    keys = next
  }
  const bytes = await source.read(`${installed.channel}/manifest.json`)
  if (!bytes) throw new UpdateRefused('unreachable', `there is no ${installed.channel}/manifest.json`)
  const envelope = readEnvelope(bytes)
  return { ...readManifest(envelope, keys, installed), envelope, chain }
}
