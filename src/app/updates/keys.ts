import * as v from 'valibot'
import { readPublicKey, type PublicKey } from '#modules/licensing/index.ts'
import { open, unverified, type Envelope } from './envelope.ts'
import { UpdateRefused } from './refused.ts'

const positive = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const keyTexts = v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(20))

/**
 * Which keys count. The root keys, two of three as a rule, lie offline and name the others; a lost or stolen key of either
 * kind is replaced by the root keys that are left. Keys are 32 bytes in base64url.
 */
export const KeysDocument = v.object({
  version: positive,
  root: keyTexts,
  rootThreshold: positive,
  release: keyTexts,
  releaseThreshold: positive,
})
export type KeysDocument = v.InferOutput<typeof KeysDocument>

interface Signing {
  keys: readonly PublicKey[]
  threshold: number
}

export interface Keys {
  version: number
  root: Signing
  release: Signing
}

const signing = (texts: readonly string[], threshold: number): Signing => {
  const keys = new Map<string, PublicKey>()
  for (const text of texts) {
    const key = readPublicKey(text)
    if (!key) throw new UpdateRefused('malformed', 'no Ed25519 key')
    keys.set(key.keyId, key)
  }
  // The same key named twice is one.
  if (threshold > keys.size) throw new UpdateRefused('malformed', 'more signatures than there are keys')
  return { keys: [...keys.values()], threshold }
}

const keysOf = ({ version, root, rootThreshold, release, releaseThreshold }: KeysDocument): Keys => ({
  version,
  root: signing(root, rootThreshold),
  release: signing(release, releaseThreshold),
})

/** @param text the file that came with the installed version @throws UpdateRefused */
export const readPinned = (text: string): KeysDocument => {
  try {
    const document = v.parse(KeysDocument, JSON.parse(text))
    keysOf(document)
    return document
  } catch (error) {
    throw new UpdateRefused('no_keys', error instanceof Error ? error.message : undefined)
  }
}

/**
 * Which keys count now: from those of the installed version through each later statement, in order. A statement is signed
 * by enough of the root keys before it, and by enough of its own.
 * @throws UpdateRefused
 */
export const readKeys = (pinned: KeysDocument, chain: readonly Envelope[]): Keys => {
  let now = keysOf(pinned)
  for (const envelope of chain) {
    const { version } = unverified(envelope, KeysDocument)
    // Of the time before the installed version, whose keys may have signed by others.
    if (version <= now.version) continue
    if (version !== now.version + 1) throw new UpdateRefused('keys_gap', `${version} after ${now.version}`)
    const next = keysOf(open('keys', envelope, now.root, KeysDocument).content)
    open('keys', envelope, next.root, KeysDocument)
    now = next
  }
  return now
}
