import { describe, expect, test } from 'vitest'
import { readEnvelope, seal } from '#app/updates/envelope.ts'
import { readKeys, readPinned } from '#app/updates/keys.ts'
import { compareVersions, NOTHING_SEEN, readManifest, type Manifest } from '#app/updates/manifest.ts'
import { UpdateRefused } from '#app/updates/refused.ts'
import { keysDocument, manifestOf, newSigner, releaseOf } from '#kit/updates.ts'

const [r1, r2, r3, r4, release, release2, thief] = Array.from({ length: 7 }, newSigner) as [
  ...ReturnType<typeof newSigner>[],
] & { length: 7 }
const pinned = keysDocument(1, { root: [r1!, r2!, r3!], release: [release!] })
const keys = readKeys(pinned, [])

const file = Buffer.from('new')
const onTarget = { files: { 'linux-x64': { url: 'files/a.tar.gz', size: 3, sha256: 'a'.repeat(64) } } }
const RELEASES = [
  releaseOf('0.3.0', file, { from: '0.2.0', ...onTarget }),
  releaseOf('0.2.0', file, { from: '0.1.0', ...onTarget }),
]
const here = {
  channel: 'stable' as const,
  version: '0.1.0',
  target: 'linux-x64',
  now: Date.parse('2026-03-02T08:00:00Z'),
  seen: NOTHING_SEEN,
}
const signed = (more: Partial<Manifest> = {}, by = release!) => seal('manifest', manifestOf(RELEASES, more), [by])

const reasonOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof UpdateRefused) return error.reason
    throw error
  }
  return 'taken'
}

describe('a manifest', () => {
  test('offers the newest version to which one tested step leads', () => {
    const offered = (version: string) => readManifest(signed(), keys, { ...here, version })
    expect(offered('0.1.0')).toMatchObject({ offer: { version: '0.2.0' }, newest: '0.3.0', obstacle: undefined })
    expect(offered('0.2.0')).toMatchObject({ offer: { version: '0.3.0' } })
    expect(offered('0.3.0')).toMatchObject({ offer: undefined, newest: null, obstacle: undefined })
    expect(offered('0.10.0')).toMatchObject({ offer: undefined, newest: null })
  })

  test('says why a newer version is none for this server', () => {
    expect(readManifest(signed(), keys, { ...here, version: '0.0.9' })).toMatchObject({
      offer: undefined,
      obstacle: 'from_too_old',
    })
    expect(readManifest(signed(), keys, { ...here, target: 'linux-riscv64' })).toMatchObject({
      offer: undefined,
      obstacle: 'wrong_machine',
    })
  })

  const changed = { ...signed(), payload: signed({ sequence: 8 }).payload }
  const at = (text: string) => ({ ...here, now: Date.parse(text) })
  const after = (sequence: number) => ({
    ...here,
    seen: { sequences: { [release!.key.keyId]: sequence }, latest: 0 },
  })
  test.each([
    ['of a key that nobody named', 'bad_signature', () => readManifest(signed({}, thief), keys, here)],
    ['that was changed after it was signed', 'bad_signature', () => readManifest(changed, keys, here)],
    [
      'that was signed as another type of paper',
      'bad_signature',
      () => readManifest(seal('keys', manifestOf(RELEASES), [release!]), keys, here),
    ],
    ['of another channel', 'wrong_channel', () => readManifest(signed({ channel: 'early' }), keys, here)],
    ['that has ended', 'manifest_expired', () => readManifest(signed(), keys, at('2026-04-16T00:00:00Z'))],
    [
      'that has ended, on a clock that was set back',
      'manifest_expired',
      () =>
        readManifest(signed(), keys, {
          ...at('1999-01-01T00:00:00Z'),
          seen: { sequences: {}, latest: Date.parse('2026-04-16T00:00:00Z') },
        }),
    ],
    ['older than one that was seen', 'manifest_rolled_back', () => readManifest(signed(), keys, after(8))],
    [
      'whose files lie outside of the folder',
      'malformed',
      () => {
        const files = { 'linux-x64': { ...onTarget.files['linux-x64'], url: '../../etc/shadow' } }
        return readManifest(signed({ releases: [releaseOf('0.2.0', file, { files })] }), keys, here)
      },
    ],
    ['that is no envelope', 'malformed', () => readEnvelope(Buffer.from('<html>'))],
  ])('%s is refused', (_, reason, work) => {
    expect(reasonOf(work)).toBe(reason)
  })

  test('of a stick that has ended is taken, and says so; an older one is not', () => {
    const late = { ...at('2027-01-01T00:00:00Z'), mayBeExpired: true }
    expect(readManifest(signed(), keys, late)).toMatchObject({ offer: { version: '0.2.0' }, isExpired: true })
    expect(reasonOf(() => readManifest(signed(), keys, { ...after(8), mayBeExpired: true }))).toBe(
      'manifest_rolled_back',
    )
  })

  test('of a stick, taken while the clock was a year ahead, is not the end of every list after it', () => {
    const ahead = { ...at('2027-03-01T00:00:00Z'), mayBeExpired: true }
    const { seen } = readManifest(signed(), keys, ahead)
    expect(readManifest(signed(), keys, { ...here, seen })).toMatchObject({
      offer: { version: '0.2.0' },
      isExpired: false,
    })
  })

  test('is remembered by sequence and time, and the same one is taken again', () => {
    const { seen } = readManifest(signed(), keys, here)
    expect(seen).toEqual({ sequences: { [release!.key.keyId]: 7 }, latest: here.now })
    expect(readManifest(signed(), keys, { ...here, seen }).offer?.version).toBe('0.2.0')
  })
})

describe('keys', () => {
  const second = keysDocument(2, { root: [r1!, r2!, r4!], release: [release2!] })
  const statement = (document: typeof second, by: ReturnType<typeof newSigner>[]) => seal('keys', document, by)

  test('are replaced by two of the root keys: what the former release key signs counts no more', () => {
    const now = readKeys(pinned, [statement(second, [r1!, r2!])])
    expect(now.version).toBe(2)
    expect(reasonOf(() => readManifest(signed(), now, here))).toBe('bad_signature')
    // Whoever stole the former one had brought its sequence to the end.
    const seen = { sequences: { [release!.key.keyId]: Number.MAX_SAFE_INTEGER }, latest: 0 }
    expect(readManifest(signed({}, release2), now, { ...here, seen }).offer?.version).toBe('0.2.0')
  })

  test('follow one another over several statements, also where the installed version knows some of them already', () => {
    const third = keysDocument(3, { root: [r3!, r4!, thief!], release: [release!] })
    const chain = [statement(second, [r1!, r2!]), statement(third, [r1!, r4!, r3!])]
    expect(readKeys(pinned, chain).version).toBe(3)
    expect(readKeys(third, chain).version).toBe(3)
  })

  test.each([
    ['one root key alone', 'bad_signature', [statement(second, [r1!])]],
    ['one root key that signed twice', 'bad_signature', [statement(second, [r1!, r1!])]],
    ['a root key that was not one before', 'bad_signature', [statement(second, [r3!, r4!])]],
    [
      'enough of the former, and too few of its own',
      'bad_signature',
      [statement(keysDocument(2, { root: [r1!, r4!, thief!], release: [release2!] }), [r1!, r2!])],
    ],
    ['the release key', 'bad_signature', [statement(second, [release!, r1!])]],
    ['a gap', 'keys_gap', [statement({ ...second, version: 3 }, [r1!, r2!])]],
    [
      'more signatures asked for than there are keys',
      'malformed',
      [statement({ ...second, releaseThreshold: 2 }, [r1!, r2!])],
    ],
  ])('of a statement with %s are refused', (_, reason, chain) => {
    expect(reasonOf(() => readKeys(pinned, chain))).toBe(reason)
  })

  test('are named by a file that can be read', () => {
    expect(readPinned(JSON.stringify(pinned))).toEqual(pinned)
    for (const text of ['', '{}', JSON.stringify({ ...pinned, root: ['AAAA'] })]) {
      expect(reasonOf(() => readPinned(text))).toBe('no_keys')
    }
  })
})

test('versions are compared by their numbers', () => {
  expect(['0.10.0', '0.2.0', '1.0.0', '0.2.10'].toSorted(compareVersions)).toEqual([
    '0.2.0',
    '0.2.10',
    '0.10.0',
    '1.0.0',
  ])
})
