import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { openOptOut, optOutLink, type OptOutTarget } from '#modules/notifications/preferences/opt-out-link.ts'
import { Vault } from '#runtime/secrets/vault.ts'

const MASTER = Buffer.alloc(32, 7)
const vault = new Vault(MASTER)
const member: OptOutTarget = { tenantId: newId(), locale: 'he', who: { userId: newId() } }
const parent: OptOutTarget = { tenantId: newId(), locale: 'ar', who: { email: 'Hala.Nasser+school@example.org' } }

/** Where the base64url of a token begins, behind the version of its seal. */
const SEALED_AT = 2

const tokenOf = (target: OptOutTarget, by = vault): string =>
  new URL(optOutLink('https://institute.example', by, target)).searchParams.get('token') as string

describe.each([
  ['a member', member],
  ['somebody without an account', parent],
])('the link of %s', (_, target) => {
  const token = tokenOf(target)

  test('leads back to whom it is about, after a restart too', () => {
    expect(openOptOut(new Vault(MASTER), token)).toEqual(target)
  })

  test('begins with whatever address the server has, which may change', () => {
    expect(optOutLink('http://10.0.0.5:8080', vault, target)).toMatch(
      /^http:\/\/10\.0\.0\.5:8080\/unsubscribe\?token=[\w.-]+$/,
    )
    expect(optOutLink('https://مدرسة.example', vault, target)).toMatch(
      /^https:\/\/xn--[\w-]+\.example\/unsubscribe\?token=[\w.-]+$/,
    )
  })

  test('shows nobody whom it is about', () => {
    const bytes = Buffer.from(token.slice(SEALED_AT), 'base64url').toString('latin1')
    for (const part of [target.tenantId, ...Object.values(target.who)]) {
      expect(token).not.toContain(part)
      expect(bytes).not.toContain(part)
    }
  })

  test('is refused with any character changed, left out or added', () => {
    for (let at = 0; at < token.length; at += 1) {
      for (const other of ['A', 'B', '_', '=', ' ', '.']) {
        if (token[at] === other) continue
        const changed = token.slice(0, at) + other + token.slice(at + 1)
        expect(openOptOut(vault, changed), `${other} at ${at}`).toBeUndefined()
      }
      expect(openOptOut(vault, token.slice(0, at)), `cut at ${at}`).toBeUndefined()
    }
    for (const more of ['A', '=', ' ', token]) expect(openOptOut(vault, token + more)).toBeUndefined()
  })

  test('is refused with any byte changed', () => {
    const bytes = Buffer.from(token.slice(SEALED_AT), 'base64url')
    const withBytes = (changed: Buffer): string => token.slice(0, SEALED_AT) + changed.toString('base64url')
    expect(withBytes(bytes)).toBe(token)
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      expect(openOptOut(vault, withBytes(changed)), `byte ${at}`).toBeUndefined()
    }
  })
})

test('a link that was mailed when seals were XSalsa20-Poly1305 still works', () => {
  const token =
    'OfxK9OchjBV-0Rymg0kQeli5VDcaeX7jl896GWsZoP8GEi5CHWw-JpuNRFvS9HuMW8_LIQFFC296EfKURQEu4vi9JCHM-zVigjRQNeoCLPmfEqcelN2kL-H9SpHzU8zkRwyZdzV3B4oG97Y938vw8x_I'
  expect(openOptOut(vault, token)).toEqual({
    tenantId: '0198c0de-0000-7000-8000-00000000000a',
    locale: 'ar',
    who: { email: 'hala@example.org' },
  })
})

test('a link of another server, or what is sealed for something else, is refused', () => {
  expect(openOptOut(vault, tokenOf(member, new Vault(Buffer.alloc(32, 8))))).toBeUndefined()
  expect(openOptOut(vault, vault.seal('mail', JSON.stringify([member.tenantId, 'en', member.who])))).toBeUndefined()
  for (const token of ['', 'x', 'null', '{}', '../..', 'A'.repeat(10_000)]) {
    expect(openOptOut(vault, token)).toBeUndefined()
  }
})
