import { exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT, type CryptoKey } from 'jose'
import { CLOCK_SLACK_SECONDS, type Clock } from '#kernel/time/clock.ts'
import { BoundedCache } from '#kernel/basics/bounded-cache.ts'

/** The claims of an access token. */
export interface AccessClaims {
  userId: string
  sessionId: string
  /** The institute that the token acts in; null before the user has chosen one. */
  tenantId: string | null
  /** Whom the token is for, and for what, when it is not for the API: an assistant's is for the address of MCP alone. */
  audience?: { resource: string; scope: string }
}

interface Verified extends AccessClaims {
  expiresAt: number
}

const ALGORITHM = 'EdDSA'

/** How long a platform admin can act in somebody's name with one token. */
export const IMPERSONATION_SECONDS = 600

/** How long somebody can look at an institute as a role sees it with one token. */
export const PREVIEW_SECONDS = 900

/** Makes a new signing key as text, which the caller seals. */
export const makeSigningKey = async (): Promise<string> => {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}

/**
 * Makes and verifies access tokens (JWT, EdDSA). Signing waits for the crypto thread pool: never do it inside a
 * transaction.
 */
export class AccessTokens {
  readonly #clock: Clock
  readonly #privateKey: CryptoKey
  readonly #publicKey: CryptoKey
  readonly #lifetimeSeconds: number
  /** Caches verified tokens until they expire, because checking a signature is costly and its result never changes. */
  readonly #verified = new BoundedCache<string, Verified>(10_000)

  private constructor(clock: Clock, keys: { privateKey: CryptoKey; publicKey: CryptoKey }, lifetimeSeconds: number) {
    this.#clock = clock
    this.#privateKey = keys.privateKey
    this.#publicKey = keys.publicKey
    this.#lifetimeSeconds = lifetimeSeconds
  }

  /** @param signingKey from makeSigningKey */
  static async open(clock: Clock, signingKey: string, lifetimeSeconds: number): Promise<AccessTokens> {
    const jwk = JSON.parse(signingKey) as Record<string, string>
    const { d: _private, ...publicJwk } = jwk
    const privateKey = (await importJWK(jwk, ALGORITHM)) as CryptoKey
    const publicKey = (await importJWK(publicJwk, ALGORITHM)) as CryptoKey
    return new AccessTokens(clock, { privateKey, publicKey }, lifetimeSeconds)
  }

  /** How long a token is valid, in seconds. */
  get lifetimeSeconds(): number {
    return this.#lifetimeSeconds
  }

  /** @param lifetimeSeconds default: as configured */
  async issue(
    { userId, sessionId, tenantId, audience }: AccessClaims,
    lifetimeSeconds: number = this.#lifetimeSeconds,
  ): Promise<string> {
    const now = Math.floor(this.#clock.millis() / 1000)
    const aimed = audience && { aud: audience.resource, scope: audience.scope }
    return new SignJWT({ sid: sessionId, ...(tenantId && { tid: tenantId }), ...aimed })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt' })
      .setSubject(userId)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(this.#privateKey)
  }

  /**
   * @returns undefined for a token that this server did not make, that has expired, or that is valid for too long
   * because it was signed while the clock was ahead. It does not check whether the session still lives, nor whom the
   * token is for.
   */
  async verify(token: string): Promise<AccessClaims | undefined> {
    const now = this.#clock.millis()
    const cached = this.#verified.find(token)
    if (cached) return this.#isNow(cached, now) ? cached : undefined
    try {
      const { payload } = await jwtVerify<{ sid: string; tid?: string; aud?: string; scope?: string }>(
        token,
        this.#publicKey,
        {
          algorithms: [ALGORITHM],
          typ: 'at+jwt',
          currentDate: new Date(now),
        },
      )
      const verified = this.#verified.set(token, {
        userId: payload.sub as string,
        sessionId: payload.sid,
        tenantId: payload.tid ?? null,
        ...(payload.aud !== undefined && { audience: { resource: payload.aud, scope: payload.scope ?? '' } }),
        expiresAt: (payload.exp as number) * 1000,
      })
      return this.#isNow(verified, now) ? verified : undefined
    } catch {
      return undefined
    }
  }
  #isNow({ expiresAt }: Verified, now: number): boolean {
    const longest = Math.max(this.#lifetimeSeconds, IMPERSONATION_SECONDS, PREVIEW_SECONDS)
    return expiresAt > now && expiresAt <= now + (longest + CLOCK_SLACK_SECONDS) * 1000
  }
}
