import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  BasicConstraintsExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { calculateJwkThumbprint, flattenedVerify, importJWK, type FlattenedJWSInput, type JWK } from 'jose'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** A public authority that speaks as much of ACME as an order of one name takes. It checks signatures, nonces and the proof. */
export class FakeAuthority {
  readonly #server: Server
  readonly #nonces = new Set<string>()
  #account: JWK | undefined
  #serial = 0
  #isProven = false
  #chain: string | undefined
  /** Orders so far. */
  orders = 0
  /** What it is asked for last: a name or an address. */
  identifier: unknown
  profile: unknown
  /** It refuses every order with this error of the protocol. */
  refusal: string | undefined
  /** Days that its certificates are good. */
  days = 90
  /** Where it looks for proofs, in place of port 80 of the name. */
  proofsAt = ''
  /** The name server at which it looks for proofs in the DNS, in place of those over HTTP; undefined: it does not. */
  dns: string | undefined
  /** It calls the next nonces used up. */
  badNonces = 0
  readonly #now: () => number

  private constructor(now: () => number) {
    this.#now = now
    this.#server = createServer((request, response) => {
      this.#answer(request).then(
        ({ status = 200, headers = {}, body }) => {
          const nonce = `nonce-${(this.#serial += 1)}`
          this.#nonces.add(nonce)
          response.writeHead(status, { 'Replay-Nonce': nonce, ...headers })
          response.end(typeof body === 'string' ? body : JSON.stringify(body))
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    })
  }

  static async open(now: () => number): Promise<FakeAuthority> {
    const authority = new FakeAuthority(now)
    authority.#server.listen(0, '127.0.0.1')
    await once(authority.#server, 'listening')
    return authority
  }

  get directory(): string {
    return `${this.#url}/directory`
  }

  get #url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status?: number; headers?: Record<string, string>; body: unknown }> {
    const url = this.#url
    const path = request.url ?? ''
    if (path === '/directory') {
      const meta = { profiles: { shortlived: 'six days' } }
      return { body: { newNonce: `${url}/nonce`, newAccount: `${url}/account`, newOrder: `${url}/orders`, meta } }
    }
    if (path === '/nonce') return { status: 204, body: '' }
    const asked = await this.#opened(request)
    if ('problem' in asked) return { status: 400, body: { type: `urn:ietf:params:acme:error:${asked.problem}` } }
    const { payload } = asked
    const order = {
      status: this.#chain !== undefined ? 'valid' : this.#isProven ? 'ready' : 'pending',
      authorizations: [`${url}/authorization`],
      finalize: `${url}/finalize`,
      ...(this.#chain !== undefined && { certificate: `${url}/certificate` }),
    }
    if (path === '/account') return { status: 201, headers: { Location: `${url}/account/1` }, body: {} }
    if (path === '/orders') {
      this.orders += 1
      if (this.refusal !== undefined) {
        return { status: 429, body: { type: `urn:ietf:params:acme:error:${this.refusal}`, detail: 'Not today.' } }
      }
      this.#isProven = false
      this.#chain = undefined
      this.identifier = payload.identifiers?.[0]
      this.profile = payload.profile
      return {
        status: 201,
        headers: { Location: `${url}/order` },
        body: { ...order, status: 'pending', certificate: undefined },
      }
    }
    if (path === '/authorization') {
      const challenge = {
        type: this.dns === undefined ? 'http-01' : 'dns-01',
        url: `${url}/challenge`,
        token: 'the-token',
      }
      return { body: { status: this.#isProven ? 'valid' : 'pending', challenges: [challenge] } }
    }
    if (path === '/challenge') {
      const wanted = `the-token.${await calculateJwkThumbprint(this.#account as JWK)}`
      this.#isProven = this.dns === undefined ? await this.#isShown(wanted) : await this.#isInDns(this.dns, wanted)
      return { body: {} }
    }
    if (path === '/finalize') this.#chain = await this.#certificate(Buffer.from(payload.csr as string, 'base64url'))
    if (path === '/certificate') return { body: this.#chain as string }
    return { body: order }
  }

  async #isShown(wanted: string): Promise<boolean> {
    const proof = await fetch(`${this.proofsAt}/.well-known/acme-challenge/the-token`)
    return (await proof.text()) === wanted
  }

  async #isInDns(server: string, wanted: string): Promise<boolean> {
    const resolver = new Resolver()
    resolver.setServers([server])
    const { value } = this.identifier as { value: string }
    const [[found] = []] = await resolver.resolveTxt(`_acme-challenge.${value}`)
    return found === createHash('sha256').update(wanted).digest('base64url')
  }

  async #opened(
    request: IncomingMessage,
  ): Promise<{ problem: string } | { payload: { identifiers?: unknown[]; profile?: unknown; csr?: unknown } }> {
    const jws = JSON.parse(await bodyOf(request)) as FlattenedJWSInput
    const head = JSON.parse(Buffer.from(jws.protected as string, 'base64url').toString()) as Record<string, unknown>
    if (!this.#nonces.delete(head.nonce as string) || this.badNonces-- > 0) return { problem: 'badNonce' }
    if (head.url !== `${this.#url}${request.url}`) return { problem: 'unauthorized' }
    if (head.jwk) this.#account = head.jwk
    const { payload } = await flattenedVerify(jws, await importJWK(this.#account as JWK, 'ES256'))
    const text = new TextDecoder().decode(payload)
    return { payload: text === '' ? {} : (JSON.parse(text) as object) }
  }

  async #certificate(der: Buffer): Promise<string> {
    const request = new Pkcs10CertificateRequest(der)
    if (!(await request.verify())) throw new Error('The request is not signed by its key.')
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
    const names = request.extensions.find((one) => one instanceof SubjectAlternativeNameExtension)
    const certificate = await X509CertificateGenerator.create({
      serialNumber: `4${(this.#serial += 1)}`.padEnd(8, '0'),
      subject: 'CN=fake',
      issuer: 'CN=Fake authority',
      notBefore: new Date(this.#now()),
      notAfter: new Date(this.#now() + this.days * 86_400_000),
      signingAlgorithm: ALGORITHM,
      publicKey: request.publicKey,
      signingKey: keys.privateKey,
      extensions: [new BasicConstraintsExtension(false), names as SubjectAlternativeNameExtension],
    })
    return `${certificate.toString('pem')}\n`
  }
}
