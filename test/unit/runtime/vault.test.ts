import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { STATE_FILE, StateFile } from '#modules/licensing/state-file.ts'
import { CannotOpen, Vault } from '#runtime/secrets/vault.ts'

const MASTER = Buffer.alloc(32, 'a master key of old')
const vault = new Vault(MASTER)

/** Made by the program when it sealed with XSalsa20-Poly1305, with this master key, for the purpose webhook. */
const FORMER = [
  ['whsec_c2VjcmV0', 'y4nDqjDaS65ZPi3wVQDA1z2MTnItObEOR4GHRWH_Qs-40ueFBwea08xHunW6xGqGtfHMongW'],
  ['', 'BM3-C8Y2ARYPMJMDGgupR4XgzmJz-D6UdyoVv93XUQ8ClzItFAgdfA'],
  ['شيفرة מפתח \u{1F511}', 'rOe0wcneGIbKs1ukVcXUYbPiWOmrCQDphWwo5-9mpzD9Ka9uP9uSwWXUAC3uJ9yIF8uZwrqdSq229XkfGAKoSw'],
] as const

const SEALED = FORMER.flatMap(([plain, former]) => [
  { made: 'once', plain, sealed: former },
  { made: 'now', plain, sealed: vault.seal('webhook', plain) },
  { made: 'for a former version', plain, sealed: vault.sealForFormer('webhook', plain) },
])

describe.each(SEALED)('$plain, sealed $made', ({ plain, sealed }) => {
  test('opens with the same master key and purpose', () => {
    expect(new Vault(MASTER).open('webhook', sealed)).toBe(plain)
  })

  test('does not open with another master key, or for another purpose', () => {
    expect(() => new Vault(Buffer.alloc(32, 1)).open('webhook', sealed)).toThrow(CannotOpen)
    expect(() => vault.open('provider', sealed)).toThrow(CannotOpen)
  })

  test('does not open with any character changed, left out or added', () => {
    for (let at = 0; at < sealed.length; at += 1) {
      for (const other of ['A', 'B', '_', '=', ' ', '.', '2', '\u0000']) {
        if (sealed[at] === other) continue
        const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
        expect(() => vault.open('webhook', changed), `${other} at ${at}`).toThrow(CannotOpen)
      }
      expect(() => vault.open('webhook', sealed.slice(0, at)), `cut at ${at}`).toThrow(CannotOpen)
      expect(() => vault.open('webhook', sealed.slice(at + 1)), `begun at ${at}`).toThrow(CannotOpen)
    }
    for (const more of ['A', '=', ' ', '\n', sealed]) {
      expect(() => vault.open('webhook', sealed + more)).toThrow(CannotOpen)
    }
  })
})

test('a seal is AES-256-GCM under a key of its purpose, and never twice the same', () => {
  const seals = Array.from({ length: 100 }, () => vault.seal('webhook', 'text'))
  expect(new Set(seals).size).toBe(100)
  // 12 bytes of nonce, 4 of text, 16 of tag.
  for (const seal of seals) expect(seal).toMatch(/^2\.[\w-]{43}$/)
})

test('a seal of the one kind does not open as one of the other', () => {
  expect(() => vault.open('webhook', `2.${FORMER[0][1]}`)).toThrow(CannotOpen)
  expect(() => vault.open('webhook', vault.seal('webhook', 'text').slice(2))).toThrow(CannotOpen)
})

test('the file of the licence’s state is sealed so that a former version can read it', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'state-'))
  const states = new StateFile(folder, vault)
  const kept = {
    installId: 'i',
    installSecret: 's',
    activation: 1,
    activatedAt: '2026-03-02T08:00:00Z',
    license: { licenseId: 'l', jti: 'j', plan: null, features: null, quotas: null, expiresAt: null },
    applied: {},
    maxObservedAt: '2026-03-02T08:00:00Z',
  }
  states.change('01890a5d-ac96-774b-bcce-b302099a8057', () => kept)
  const sealed = readFileSync(path.join(folder, STATE_FILE), 'utf8').trim()
  expect(sealed).not.toContain('.')
  expect(Object.values(states.readAll())).toEqual([kept])
})
