import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { fromBase64url } from '#kernel/basics/base64url.ts'
import { plainAddress } from '#kernel/basics/network.ts'
import { named } from '#kernel/values/named.ts'
import { emptyableProse, instant, integer, text, uuid } from '#kernel/values/schema.ts'
import { isSignedBy, readPublicKey, type PublicKey, type Signer } from './signing.ts'

/**
 * What the issuer's server and a self-hosted install say to each other, and how each believes the other. There are six
 * signed things. No signature of one is valid as another: a token's header says its kind and is signed with it, what is
 * signed of an envelope begins with words that begin no token, and an install signs a JSON object with a key of its own.
 */

/** Why a signed thing is not believed. */
export type Disbelief =
  /** It has not the form of such a thing. */
  | 'malformed'
  /** It is a signed thing of another kind. */
  | 'wrong_kind'
  /** It says that another key has signed it. */
  | 'other_key'
  | 'bad_signature'

export type Verified<T, Reason = Disbelief> = { ok: true; value: T } | { ok: false; reason: Reason }

const refused = <Reason>(reason: Reason) => ({ ok: false, reason }) as const

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')

/** The features of a plan. An install takes the flags that it knows. */
const Features = v.nullable(v.record(v.string(), v.boolean()))
/** The quotas of a plan, null: unlimited. An install takes the keys that it knows. */
const Quotas = v.nullable(v.record(v.string(), v.nullable(integer(0))))

// ---- Tokens: compact JWS, signed by the issuer ----

const ALGORITHM = 'EdDSA'
const LICENSE_TYPE = 'institute-license+jwt'
const UNLOCK_TYPE = 'institute-unlock+jwt'

/** The longest token that is looked at, in characters. */
export const LONGEST_TOKEN = 8192

const Header = v.strictObject({ alg: v.literal(ALGORITHM), typ: v.string(), kid: v.string() })

/**
 * A time in Unix seconds, until the end of 2200 as every time that the API takes: a later one may be no date at all, and
 * does not compare as text.
 */
const unixSeconds = integer(0, Date.UTC(2201, 0, 1) / 1000 - 1)

/** What a licence token says. */
export const LicenseClaims = v.object({
  /** The address of the issuer's server, or its name. */
  iss: v.string(),
  /** Names the licence in heartbeats. It stays the same when the token is made anew after a change of the licence. */
  jti: v.string(),
  licenseId: uuid,
  tenantName: v.string(),
  /** The code of the plan; null: no plan. */
  plan: v.nullable(v.string()),
  features: Features,
  quotas: Quotas,
  maxInstalls: integer(1),
  iat: unixSeconds,
  /** Past it there is a warning and nothing else. Absent: it does not end. */
  exp: v.optional(unixSeconds),
})
export type LicenseClaims = v.InferOutput<typeof LicenseClaims>

/** What an unlock token says. It is good for one use, before `exp`, on an install of this licence. */
export const UnlockClaims = v.object({
  /** The id of the unlock command that was queued with the token: applying the token is applying that command. */
  jti: uuid,
  licenseId: uuid,
  /** The command's sequence number. An install that has applied this one or a later one refuses the token. */
  seq: integer(1),
  iat: unixSeconds,
  exp: unixSeconds,
  reason: v.null(),
})
export type UnlockClaims = v.InferOutput<typeof UnlockClaims>

/**
 * Tokens are signed inside the transaction that makes the licence or the command, so this takes no time of waiting. A
 * library for JWS signs and verifies asynchronously, and would leave to us what is most of it here: the header, the one
 * encoding of each part, and the keys.
 */
const signToken = (typ: string, claims: unknown, { key, sign }: Signer): string => {
  const signed = `${encode({ alg: ALGORITHM, typ, kid: key.keyId })}.${encode(claims)}`
  return `${signed}.${sign(Buffer.from(signed, 'ascii'))}`
}

const verifyToken = <S extends v.GenericSchema>(
  typ: string,
  claims: S,
  { token, key }: { token: string; key: PublicKey },
): Verified<v.InferOutput<S>> => {
  const [header = '', payload = '', signature = '', ...more] = token.length > LONGEST_TOKEN ? [] : token.split('.')
  const headerBytes = fromBase64url(header)
  const payloadBytes = fromBase64url(payload)
  if (!headerBytes || !payloadBytes || more.length > 0) return refused('malformed')
  const parsedHeader = v.safeParse(Header, parseJson(headerBytes))
  if (!parsedHeader.success) return refused('malformed')
  if (parsedHeader.output.typ !== typ) return refused('wrong_kind')
  if (parsedHeader.output.kid !== key.keyId) return refused('other_key')
  if (!isSignedBy(key, Buffer.from(`${header}.${payload}`, 'ascii'), signature)) return refused('bad_signature')
  const parsed = v.safeParse(claims, parseJson(payloadBytes))
  return parsed.success ? { ok: true, value: parsed.output } : refused('malformed')
}

export const signLicenseToken = (claims: LicenseClaims, issuer: Signer): string =>
  signToken(LICENSE_TYPE, claims, issuer)

/** Checks the signature and the form. That a licence's `exp` has passed is no reason to refuse it. */
export const verifyLicenseToken = (token: string, key: PublicKey): Verified<LicenseClaims> =>
  verifyToken(LICENSE_TYPE, LicenseClaims, { token, key })

export const signUnlockToken = (claims: UnlockClaims, issuer: Signer): string => signToken(UNLOCK_TYPE, claims, issuer)

/** Checks the signature and the form. The caller checks the licence, `exp`, `seq` and that the token was not used. */
export const verifyUnlockToken = (token: string, key: PublicKey): Verified<UnlockClaims> =>
  verifyToken(UNLOCK_TYPE, UnlockClaims, { token, key })

// ---- The heartbeat: signed by the install ----

/** The most command ids that a heartbeat acknowledges, and the most commands that an answer has. */
export const MOST_COMMANDS = 100

export const UPDATE_RESULTS = ['ok', 'failed', 'skipped'] as const

const Updater = named(
  'InstallUpdater',
  v.object({
    channel: v.optional(v.nullable(text(50)), null),
    lastCheckAt: v.optional(v.nullable(instant), null),
    lastResult: v.optional(v.nullable(v.picklist(UPDATE_RESULTS)), null),
    lastReason: v.optional(v.nullable(emptyableProse(1000)), null),
    targetVersion: v.optional(v.nullable(text(50)), null),
  }),
  {
    channel: 'Where the install takes its updates from.',
    lastCheckAt: 'When it last looked for one, by its own clock.',
    lastResult: 'What became of that.',
    lastReason: 'Why it failed or was left.',
    targetVersion: 'The version that it would have updated to.',
  },
)

export const Heartbeat = named(
  'Heartbeat',
  v.object({
    installId: uuid,
    jti: text(200),
    appVersion: text(50),
    counter: integer(0),
    clientTime: instant,
    maxObservedTime: v.nullable(instant),
    nonce: text(100),
    appliedCommandIds: v.optional(
      v.pipe(v.array(uuid), v.maxLength(MOST_COMMANDS, `Must have at most ${MOST_COMMANDS}.`)),
      () => [],
    ),
    updater: v.optional(Updater),
  }),
  {
    installId: 'The id that the install gave itself.',
    jti: 'The `jti` of its licence token.',
    appVersion: 'The version of the program that runs there.',
    counter: 'How many heartbeats the install has sent.',
    clientTime: 'The time by its own clock.',
    maxObservedTime: 'The latest time that it has ever seen; null: none.',
    nonce: 'Made anew for each heartbeat; the answer repeats it.',
    appliedCommandIds: 'The commands that it has seen: applied, or left because a later one was applied before.',
    updater: 'How its last update went.',
  },
)
export type Heartbeat = v.InferOutput<typeof Heartbeat>
/** A heartbeat as it is sent. */
export type HeartbeatInput = v.InferInput<typeof Heartbeat>

export const INSTALL_KEY_HEADER = 'X-Install-Key'
export const INSTALL_SIGNATURE_HEADER = 'X-Install-Signature'

/** @param body the exact bytes that are sent @returns the headers that sign them */
export const signHeartbeat = (body: Uint8Array, install: Signer): Record<string, string> => ({
  [INSTALL_KEY_HEADER]: install.key.text,
  [INSTALL_SIGNATURE_HEADER]: install.sign(body),
})

/**
 * Checks the headers of a heartbeat: that the key in them has signed exactly these bytes. Whose key it is, is for the
 * caller to know.
 */
export const verifyHeartbeat = (
  body: Uint8Array,
  { key, signature }: { key: string; signature: string },
): Verified<PublicKey, 'malformed' | 'bad_signature'> => {
  const read = readPublicKey(key)
  if (!read) return refused('malformed')
  return isSignedBy(read, body, signature) ? { ok: true, value: read } : refused('bad_signature')
}

// ---- The answer to a heartbeat: an envelope, signed by the issuer ----

export const COMMAND_KINDS = ['lock', 'unlock'] as const
export const LICENSE_STATES = ['active', 'locked'] as const

export const EnvelopePayload = v.object({
  installId: uuid,
  /** That of the heartbeat. */
  nonce: v.string(),
  serverTime: instant,
  /** For people to read. Only commands lock and unlock. */
  state: v.picklist(LICENSE_STATES),
  /** In the order of `seq`. */
  commands: v.pipe(
    v.array(
      v.object({
        id: uuid,
        seq: integer(1),
        kind: v.picklist(COMMAND_KINDS),
        reason: v.nullable(v.string()),
        issuedAt: instant,
      }),
    ),
    v.maxLength(MOST_COMMANDS),
  ),
  features: Features,
  quotas: Quotas,
  nextHeartbeatSec: integer(1),
})
export type EnvelopePayload = v.InferOutput<typeof EnvelopePayload>

export const Envelope = named(
  'LicenseEnvelope',
  v.object({ payload: v.string(), signature: v.string(), keyId: v.string() }),
  {
    payload:
      'JSON as base64url: {installId, nonce, serverTime, state, commands [{id, seq, kind, reason, issuedAt}], features, quotas, nextHeartbeatSec}.',
    signature:
      'Ed25519 over three lines: `institute licence envelope 1`, the `jti` of the heartbeat, and `payload` as it stands; base64url.',
    keyId: 'Which of the vendor’s keys made the signature.',
  },
)
export type Envelope = v.InferOutput<typeof Envelope>

/** The longest payload that is looked at, in characters. */
const LONGEST_PAYLOAD = 128 * 1024

/** What an envelope is: it begins what is signed, so that no answer passes for one to another question. */
type EnvelopeKind = 'licence envelope' | 'lan name'

/** The licence is part of what is signed, so that an answer for one licence is refused for another. */
const envelopeBytes = (kind: EnvelopeKind, jti: string, payload: string): Buffer =>
  Buffer.from(`institute ${kind} 1\n${jti}\n${payload}`)

const sealed = (kind: EnvelopeKind, content: object, jti: string, { key, sign }: Signer): Envelope => {
  const payload = encode(content)
  return { payload, signature: sign(envelopeBytes(kind, jti, payload)), keyId: key.keyId }
}

const opened =
  <S extends v.GenericSchema<unknown, { installId: string; nonce: string }>>(kind: EnvelopeKind, schema: S) =>
  /**
   * Checks an answer.
   * @param sent the install's id, its licence's jti and the nonce that it has just sent: an answer to anything else is not
   *   believed
   */
  (
    envelope: unknown,
    key: PublicKey,
    sent: Pick<Heartbeat, 'installId' | 'jti' | 'nonce'>,
  ): Verified<v.InferOutput<S>, Exclude<Disbelief, 'wrong_kind'> | 'other_install' | 'other_nonce'> => {
    const form = v.safeParse(Envelope, envelope)
    if (!form.success || form.output.payload.length > LONGEST_PAYLOAD) return refused('malformed')
    const { payload, signature, keyId } = form.output
    const bytes = fromBase64url(payload)
    if (!bytes) return refused('malformed')
    if (keyId !== key.keyId) return refused('other_key')
    if (!isSignedBy(key, envelopeBytes(kind, sent.jti, payload), signature)) return refused('bad_signature')
    const parsed = v.safeParse(schema, parseJson(bytes))
    if (!parsed.success) return refused('malformed')
    if (parsed.output.installId !== sent.installId) return refused('other_install')
    if (parsed.output.nonce !== sent.nonce) return refused('other_nonce')
    return { ok: true, value: parsed.output }
  }

/** @param jti that of the licence that the heartbeat named */
export const signEnvelope = (content: EnvelopePayload, jti: string, issuer: Signer): Envelope =>
  sealed('licence envelope', content, jti, issuer)
export const verifyEnvelope = opened('licence envelope', EnvelopePayload)

// ---- A name on the local network: asked for by the install as it sends a heartbeat, answered in an envelope ----

/** A server has a card or two, and a network of IPv6 beside. */
export const MOST_LAN_ADDRESSES = 8

/** Addresses that are of one network alone: a name of the vendor's that led elsewhere would lend its good name to anybody. */
const LAN_RANGES: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat'])
export const isLanAddress = (address: string): boolean =>
  plainAddress(address) === address && LAN_RANGES.has(ipaddr.parse(address).range())

/** The digest that a certificate authority is to find: SHA-256 as base64url (RFC 8555, section 8.4). */
const challenge = v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'Must be a SHA-256 as base64url.'))

export const LanNameRequest = named(
  'LanNameRequest',
  v.object({
    installId: uuid,
    jti: text(200),
    clientTime: instant,
    nonce: text(100),
    addresses: v.pipe(
      v.array(v.pipe(v.string(), v.check(isLanAddress, 'Must be an address of a private network, in its usual form.'))),
      v.minLength(1, 'Must have one at least.'),
      v.maxLength(MOST_LAN_ADDRESSES, `Must have at most ${MOST_LAN_ADDRESSES}.`),
    ),
    challenge: v.nullable(challenge),
  }),
  {
    installId: 'The id that the install gave itself.',
    jti: 'The `jti` of its licence token.',
    clientTime: 'The time by its own clock.',
    nonce: 'Made anew for each request; the answer repeats it.',
    addresses: 'Its addresses on its own network, to which the name leads from now on.',
    challenge:
      'What a certificate authority is to find as TXT at `_acme-challenge.` of the name (DNS-01), for an hour; null: nothing, from now on.',
  },
)
export type LanNameRequest = v.InferOutput<typeof LanNameRequest>

export const LanNamePayload = v.object({
  installId: uuid,
  /** That of the request. */
  nonce: v.string(),
  /** The whole name. */
  name: text(253),
})
type LanNamePayload = v.InferOutput<typeof LanNamePayload>

export const LanNameEnvelope = named(
  'LanNameEnvelope',
  v.object({ payload: v.string(), signature: v.string(), keyId: v.string() }),
  {
    payload: 'JSON as base64url: {installId, nonce, name}.',
    signature:
      'Ed25519 over three lines: `institute lan name 1`, the `jti` of the request, and `payload` as it stands; base64url.',
    keyId: 'Which of the vendor’s keys made the signature.',
  },
)

/** @param jti that of the licence that the request named */
export const signLanName = (content: LanNamePayload, jti: string, issuer: Signer): Envelope =>
  sealed('lan name', content, jti, issuer)
export const verifyLanName = opened('lan name', LanNamePayload)
