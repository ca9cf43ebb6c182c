import fc from 'fast-check'
import { compactVerify, importJWK } from 'jose'
import nacl from 'tweetnacl'
import { describe, expect, test } from 'vitest'
import { volume } from '#kit/volume.ts'
import {
  signEnvelope,
  signHeartbeat,
  signLicenseToken,
  signUnlockToken,
  verifyEnvelope,
  verifyHeartbeat,
  verifyLicenseToken,
  verifyUnlockToken,
  type Envelope,
  type EnvelopePayload,
  type LicenseClaims,
  type UnlockClaims,
} from '#modules/licensing/protocol.ts'
import { newSigningSecret, readPublicKey, signerOf, type PublicKey, type Signer } from '#modules/licensing/signing.ts'

const vendor = signerOf(newSigningSecret())
const other = signerOf(newSigningSecret())
const install = signerOf(newSigningSecret())

const seconds = fc.integer({ min: 0, max: Date.UTC(2201, 0, 1) / 1000 - 1 })
const instants = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString())
const short = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })

const licenses: fc.Arbitrary<LicenseClaims> = fc.record(
  {
    iss: short,
    jti: short,
    licenseId: fc.uuid(),
    tenantName: short,
    plan: fc.option(short),
    features: fc.option(
      fc.dictionary(fc.constantFrom('mcp', 'courses_video'), fc.boolean(), { noNullPrototype: true }),
    ),
    quotas: fc.option(fc.constant({ maxStudents: 300, maxStaff: null })),
    maxInstalls: fc.integer({ min: 1, max: 1000 }),
    iat: seconds,
    exp: seconds,
  },
  { requiredKeys: ['iss', 'jti', 'licenseId', 'tenantName', 'plan', 'features', 'quotas', 'maxInstalls', 'iat'] },
)

const unlocks: fc.Arbitrary<UnlockClaims> = fc.record({
  jti: fc.uuid(),
  licenseId: fc.uuid(),
  seq: fc.integer({ min: 1 }),
  iat: seconds,
  exp: seconds,
  reason: fc.constant(null),
})

const payloads: fc.Arbitrary<EnvelopePayload> = fc.record({
  installId: fc.uuid(),
  nonce: short,
  serverTime: instants,
  state: fc.constantFrom('active', 'locked'),
  commands: fc.array(
    fc.record({
      id: fc.uuid(),
      seq: fc.integer({ min: 1 }),
      kind: fc.constantFrom('lock', 'unlock'),
      reason: fc.option(short),
      issuedAt: instants,
    }),
    { maxLength: 1 },
  ),
  features: fc.constant(null),
  quotas: fc.constant(null),
  nextHeartbeatSec: fc.integer({ min: 1, max: 100_000 }),
})

const bodies = fc.uint8Array({ minLength: 1, maxLength: 150 })

/** A signed thing as bytes that cross the network, and whether bytes like these are believed. */
interface Signed {
  bytes: Buffer
  isBelieved(bytes: Buffer, key?: PublicKey): boolean
}

const token = (text: string, verify: (text: string, key: PublicKey) => { ok: boolean }): Signed => ({
  bytes: Buffer.from(text),
  isBelieved: (bytes, key = vendor.key) => verify(bytes.toString('utf8'), key).ok,
})

const licenseToken = (claims: LicenseClaims, by: Signer = vendor): Signed =>
  token(signLicenseToken(claims, by), verifyLicenseToken)

const unlockToken = (claims: UnlockClaims, by: Signer = vendor): Signed =>
  token(signUnlockToken(claims, by), verifyUnlockToken)

const envelopeOf = (bytes: Buffer): Envelope => {
  const [payload = '', signature = '', keyId = '', ...more] = bytes.toString('utf8').split('\n')
  return { payload, signature, keyId: [keyId, ...more].join('\n') }
}

/** Of the licence that every heartbeat here names. */
const JTI = '0198c0de-0000-7000-8000-00000000000a'

const envelope = (content: EnvelopePayload, by: Signer = vendor): Signed => {
  const { payload, signature, keyId } = signEnvelope(content, JTI, by)
  return {
    bytes: Buffer.from([payload, signature, keyId].join('\n')),
    isBelieved: (bytes, key = vendor.key) => verifyEnvelope(envelopeOf(bytes), key, { ...content, jti: JTI }).ok,
  }
}

const heartbeat = (body: Uint8Array, by: Signer = install): Signed => {
  const headers = signHeartbeat(body, by)
  return {
    bytes: Buffer.concat([Buffer.from(`${headers['X-Install-Key']}${headers['X-Install-Signature']}`), body]),
    isBelieved: (bytes, pinned = install.key) => {
      const [key, signature] = [bytes.subarray(0, 43).toString('utf8'), bytes.subarray(43, 129).toString('utf8')]
      const verified = verifyHeartbeat(bytes.subarray(129), { key, signature })
      return verified.ok && verified.value.text === pinned.text
    },
  }
}

const signed: fc.Arbitrary<Signed> = fc.oneof(
  licenses.map((claims) => licenseToken(claims)),
  unlocks.map((claims) => unlockToken(claims)),
  payloads.map((content) => envelope(content)),
  bodies.map((body) => heartbeat(body)),
)

describe('what was signed', () => {
  test('is believed, and says what was signed', () => {
    fc.assert(
      fc.property(licenses, unlocks, payloads, bodies, (license, unlock, payload, body) => {
        expect(verifyLicenseToken(signLicenseToken(license, vendor), vendor.key)).toEqual({ ok: true, value: license })
        expect(verifyUnlockToken(signUnlockToken(unlock, vendor), vendor.key)).toEqual({ ok: true, value: unlock })
        const answer = JSON.parse(JSON.stringify(signEnvelope(payload, JTI, vendor))) as unknown
        expect(verifyEnvelope(answer, vendor.key, { ...payload, jti: JTI })).toEqual({ ok: true, value: payload })
        const { 'X-Install-Key': key = '', 'X-Install-Signature': signature = '' } = signHeartbeat(body, install)
        expect(verifyHeartbeat(body, { key, signature })).toMatchObject({ ok: true, value: { text: install.key.text } })
      }),
      { numRuns: 25 },
    )
  })

  test('is not believed with any one byte changed', () => {
    fc.assert(
      fc.property(signed, fc.infiniteStream(fc.integer({ min: 1, max: 255 })), ({ bytes, isBelieved }, changes) => {
        expect(isBelieved(bytes)).toBe(true)
        for (const at of bytes.keys()) {
          const changed = Buffer.from(bytes)
          changed[at] = (bytes[at] as number) ^ (changes.next().value as number)
          if (isBelieved(changed)) throw new Error(`believed with byte ${at} changed: ${changed.toString('latin1')}`)
        }
      }),
      { numRuns: volume(50, 200) },
    )
  }, 120_000)

  test('is not believed shortened or lengthened', () => {
    fc.assert(
      fc.property(signed, fc.uint8Array({ minLength: 1, maxLength: 3 }), ({ bytes, isBelieved }, more) => {
        for (let length = 0; length < bytes.length; length += 1) {
          expect(isBelieved(bytes.subarray(0, length))).toBe(false)
          expect(isBelieved(bytes.subarray(length + 1))).toBe(false)
        }
        for (const extra of [Buffer.from(more), Buffer.from('='), Buffer.from(' '), Buffer.from('\0')]) {
          expect(isBelieved(Buffer.concat([bytes, extra]))).toBe(false)
          expect(isBelieved(Buffer.concat([extra, bytes]))).toBe(false)
        }
      }),
      { numRuns: volume(25, 100) },
    )
  }, 120_000)

  test('is not believed under another key, or made by another', () => {
    fc.assert(
      fc.property(licenses, unlocks, payloads, bodies, (license, unlock, payload, body) => {
        const made = [
          [licenseToken(license), licenseToken(license, other)],
          [unlockToken(unlock), unlockToken(unlock, other)],
          [envelope(payload), envelope(payload, other)],
          [heartbeat(body), heartbeat(body, other)],
        ] as const
        for (const [ours, theirs] of made) {
          expect([ours.isBelieved(ours.bytes, other.key), ours.isBelieved(theirs.bytes)]).toEqual([false, false])
        }
      }),
      { numRuns: 100 },
    )
  })

  test('is not believed as another kind, with the same key behind all kinds', () => {
    fc.assert(
      fc.property(licenses, unlocks, payloads, bodies, (license, unlock, payload, body) => {
        const kinds = [licenseToken(license), unlockToken(unlock), envelope(payload), heartbeat(body, vendor)]
        for (const [at, { isBelieved }] of kinds.entries()) {
          const believed = kinds.map(({ bytes }) => isBelieved(bytes, vendor.key))
          expect(believed).toEqual(kinds.map((_, index) => index === at))
        }
      }),
      { numRuns: 100 },
    )
  })

  test('carries no signature to another kind, whatever the form is made to be', () => {
    fc.assert(
      fc.property(unlocks, payloads, (unlock, payload) => {
        const [header = '', claims = '', signature = ''] = signUnlockToken(unlock, vendor).split('.')
        const { payload: content, signature: ofEnvelope } = signEnvelope(payload, JTI, vendor)
        const { keyId } = vendor.key
        const envelopes = [
          { payload: claims, signature, keyId },
          { payload: content, signature, keyId },
          { payload: `${header}.${claims}`, signature, keyId },
        ]
        for (const forged of envelopes)
          expect(verifyEnvelope(forged, vendor.key, { ...payload, jti: JTI }).ok).toBe(false)
        const asToken = `${header}.${content}.${ofEnvelope}`
        expect(verifyUnlockToken(asToken, vendor.key)).toEqual({ ok: false, reason: 'bad_signature' })
        const signedAsBody = { key: vendor.key.text, signature: ofEnvelope }
        expect(verifyHeartbeat(Buffer.from(content), signedAsBody)).toEqual({ ok: false, reason: 'bad_signature' })
      }),
      { numRuns: 50 },
    )
  })
})

const [license] = fc.sample(licenses, 1) as [LicenseClaims]
const [unlock] = fc.sample(unlocks, 1) as [UnlockClaims]
const [payload] = fc.sample(payloads, 1) as [EnvelopePayload]

describe('what is not believed says why', () => {
  test('a token of another kind, of another key, of no form', () => {
    const ours = signUnlockToken(unlock, vendor)
    expect(verifyLicenseToken(ours, vendor.key)).toEqual({ ok: false, reason: 'wrong_kind' })
    expect(verifyUnlockToken(ours, other.key)).toEqual({ ok: false, reason: 'other_key' })
    for (const text of ['', '.', '..', 'a.b.c', `${ours}.`, ` ${ours}`, ours.replaceAll('.', '..')]) {
      expect(verifyUnlockToken(text, vendor.key), text).toEqual({ ok: false, reason: 'malformed' })
    }
    expect(verifyUnlockToken('e'.repeat(100_000), vendor.key)).toEqual({ ok: false, reason: 'malformed' })
  })

  test.each(['none', 'HS256', 'Ed25519', ''])('a token whose header says the algorithm %j', (alg) => {
    const header = { alg, typ: 'institute-license+jwt', kid: vendor.key.keyId }
    const text = [header, license].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    for (const signature of ['', vendor.sign(Buffer.from(text))]) {
      expect(verifyLicenseToken(`${text}.${signature}`, vendor.key)).toEqual({ ok: false, reason: 'malformed' })
    }
  })

  test('a token that the vendor signed over claims of another form', () => {
    const claims = { ...license, maxInstalls: 2 ** 53 + 1 }
    expect(verifyLicenseToken(signLicenseToken(claims, vendor), vendor.key)).toEqual({
      ok: false,
      reason: 'malformed',
    })
  })

  test("an envelope for another install, or for another heartbeat of one's own", () => {
    const made = signEnvelope(payload, JTI, vendor)
    const { installId, nonce } = payload
    const otherInstall = { installId: '0198c0de-0000-7000-8000-000000000001', nonce, jti: JTI }
    expect(verifyEnvelope(made, vendor.key, otherInstall)).toEqual({ ok: false, reason: 'other_install' })
    expect(verifyEnvelope(made, vendor.key, { installId, nonce: `${nonce}x`, jti: JTI })).toEqual({
      ok: false,
      reason: 'other_nonce',
    })
    // The same heartbeat, sent on in the name of another licence.
    expect(verifyEnvelope(made, vendor.key, { installId, nonce, jti: `${JTI}x` })).toEqual({
      ok: false,
      reason: 'bad_signature',
    })
    expect(verifyEnvelope({ ...made, keyId: other.key.keyId }, vendor.key, { ...payload, jti: JTI })).toEqual({
      ok: false,
      reason: 'other_key',
    })
  })

  test.each([null, undefined, 'text', [], {}, { payload: 1, signature: 2, keyId: 3 }])(
    'an envelope that is %j',
    (it) => {
      expect(verifyEnvelope(it, vendor.key, { ...payload, jti: JTI })).toEqual({ ok: false, reason: 'malformed' })
    },
  )
})

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const toLittleEndian = (value: bigint): Buffer =>
  Buffer.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toReversed())
const fromLittleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`)

describe('a key', () => {
  // The encodings of every point whose order divides 8, those that are not canonical included.
  const EIGHTH = fromLittleEndian(
    Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex'),
  )
  const PRIME = 2n ** 255n - 19n
  const lowOrder = [0n, 1n, PRIME - 1n, EIGHTH, PRIME - EIGHTH, PRIME, PRIME + 1n].flatMap((y) => [y, y + 2n ** 255n])

  test.each(lowOrder.map((y) => toLittleEndian(y).toString('base64url')))('of low order is none: %s', (text) => {
    expect(readPublicKey(text)).toBeUndefined()
    // tweetnacl takes it, and then one signature fits many messages, which nobody has signed.
    const key = Buffer.from(text, 'base64url')
    const forgery = Buffer.concat([toLittleEndian(1n), Buffer.alloc(32)])
    const messages = Array.from({ length: 60 }, (_, index) => Buffer.of(index))
    expect(messages.some((message) => nacl.sign.detached.verify(message, forgery, key))).toBe(true)
    for (const message of messages) {
      const headers = { key: text, signature: forgery.toString('base64url') }
      expect(verifyHeartbeat(message, headers)).toEqual({ ok: false, reason: 'malformed' })
    }
  })

  test('has one text', () => {
    const { text } = vendor.key
    expect(text).toMatch(/^[\w-]{43}$/)
    const bytes = Buffer.from(text, 'base64url')
    const others = [`${text}=`, ` ${text}`, `${text}\n`, bytes.toString('base64'), bytes.toString('hex'), text.slice(1)]
    for (const one of others.filter((wrong) => wrong !== text)) expect(readPublicKey(one), one).toBeUndefined()
    expect(readPublicKey(text)).toMatchObject({ text, keyId: vendor.key.keyId })
    expect(vendor.key.keyId).not.toBe(other.key.keyId)
  })

  test('is made of a secret of 32 bytes and nothing else', () => {
    for (const secret of ['', 'no', newSigningSecret().slice(1), `${newSigningSecret()}AA`]) {
      expect(() => signerOf(secret)).toThrow()
    }
  })
})

describe('a signature', () => {
  const message = Buffer.from('one message')
  const signature = Buffer.from(install.sign(message), 'base64url')
  const withS = (s: bigint) => Buffer.concat([signature.subarray(0, 32), toLittleEndian(s)])
  const isBelieved = (bytes: Uint8Array) =>
    verifyHeartbeat(message, { key: install.key.text, signature: Buffer.from(bytes).toString('base64url') }).ok

  test('has one encoding: S and S + L are not both believed', () => {
    const s = fromLittleEndian(signature.subarray(32))
    expect(isBelieved(signature)).toBe(true)
    for (let more = s + ORDER; more < 2n ** 256n; more += ORDER) expect(isBelieved(withS(more))).toBe(false)
    // tweetnacl takes both.
    const key = Buffer.from(install.key.text, 'base64url')
    expect(nacl.sign.detached.verify(message, withS(s + ORDER), key)).toBe(true)
  })

  test('is what another implementation of Ed25519 makes and takes', () => {
    const secret = newSigningSecret()
    const { key, sign } = signerOf(secret)
    const theirs = nacl.sign.keyPair.fromSeed(Buffer.from(secret, 'base64url'))
    expect(key.text).toBe(Buffer.from(theirs.publicKey).toString('base64url'))
    expect(sign(message)).toBe(Buffer.from(nacl.sign.detached(message, theirs.secretKey)).toString('base64url'))
  })

  test('of a token is one that a library for JWS takes', async () => {
    const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x: vendor.key.text }, 'EdDSA')
    const { payload: read, protectedHeader } = await compactVerify(signLicenseToken(license, vendor), key)
    expect(JSON.parse(Buffer.from(read).toString('utf8'))).toEqual(license)
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'institute-license+jwt', kid: vendor.key.keyId })
  })
})
