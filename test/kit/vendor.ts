import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { newId } from '#kernel/basics/ids.ts'
import {
  Heartbeat,
  signEnvelope,
  signLicenseToken,
  signUnlockToken,
  verifyHeartbeat,
  type Envelope,
  type EnvelopePayload,
  type LicenseClaims,
  type UnlockClaims,
} from '../../src/modules/licensing/protocol.ts'
import { signerOf } from '../../src/modules/licensing/signing.ts'

/** The vendor whose key test servers have pinned. */
const vendor = signerOf(Buffer.alloc(32, 7).toString('base64url'))

/** At its address nothing listens: a server with this vendor believes its tokens and does not reach it. */
export const TEST_VENDOR = { vendorUrl: 'http://127.0.0.1:9', publicKey: vendor.key } as const

export const licenseToken = (claims: Partial<LicenseClaims> = {}): string => {
  const licenseId = claims.licenseId ?? newId()
  return signLicenseToken(
    {
      iss: 'test vendor',
      jti: `jti-${licenseId}`,
      licenseId,
      tenantName: 'Institute',
      plan: 'school',
      features: null,
      quotas: null,
      maxInstalls: 1,
      iat: 1_772_000_000,
      ...claims,
    },
    vendor,
  )
}

/** An unlock token that ends in the year 2100, unless `exp` says otherwise. */
export const unlockToken = (claims: Pick<UnlockClaims, 'licenseId' | 'seq'> & Partial<UnlockClaims>): string =>
  signUnlockToken({ jti: newId(), iat: 1_772_000_000, exp: 4_102_444_800, reason: null, ...claims }, vendor)

export interface ReceivedHeartbeat extends v.InferOutput<typeof Heartbeat> {
  /** The key that signed it. */
  key: string
}

type Answer = (envelope: Envelope, response: ServerResponse, heartbeat: ReceivedHeartbeat) => void

const send = (envelope: unknown, response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(envelope))
}

/** A vendor's server that keeps the commands of one licence until they are acknowledged, and can misbehave. */
export const startVendor = async (now: () => string) => {
  const heartbeats: ReceivedHeartbeat[] = []
  const problems: string[] = []
  let commands: EnvelopePayload['commands'] = []
  let extra: Partial<EnvelopePayload> = {}
  let answer: Answer = send
  let seq = 0

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const header = (name: string) => String(request.headers[name])
      const signed = verifyHeartbeat(body, { key: header('x-install-key'), signature: header('x-install-signature') })
      const parsed = v.safeParse(Heartbeat, JSON.parse(body.toString()))
      if (body.toString() === '{}') {
        response.writeHead(422).end()
        return
      }
      if (!signed.ok || !parsed.success || request.url !== '/api/v1/platform/licenses/heartbeat') {
        problems.push(`${request.url} ${body.toString()}`)
        response.writeHead(400).end()
        return
      }
      const heartbeat = { ...parsed.output, key: signed.value.text }
      heartbeats.push(heartbeat)
      commands = commands.filter(({ id }) => !heartbeat.appliedCommandIds.includes(id))
      const envelope = signEnvelope(
        {
          installId: heartbeat.installId,
          nonce: heartbeat.nonce,
          serverTime: now(),
          state: 'active',
          commands,
          features: null,
          quotas: null,
          nextHeartbeatSec: 21_600,
          ...extra,
        },
        heartbeat.jti,
        vendor,
      )
      answer(envelope, response, heartbeat)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    config: { vendorUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, publicKey: vendor.key },
    heartbeats,
    /** The commands that wait for their acknowledgement. */
    waiting: () => commands,
    /** Queues a command. @returns its sequence number */
    command: (kind: 'lock' | 'unlock', reason: string | null = null): number => {
      seq += 1
      commands = [...commands, { id: newId(), seq, kind, reason, issuedAt: now() }]
      return seq
    },
    /** What the envelopes say differently from now on. */
    say: (more: Partial<EnvelopePayload>): void => {
      extra = more
    },
    /** How it answers from now on; undefined: as it should. */
    answerBy: (how: Answer | undefined): void => {
      answer = how ?? send
    },
    /** @throws an Error where a request was no signed heartbeat */
    close: (): void => {
      server.close()
      server.closeAllConnections()
      if (problems.length > 0) throw new Error(`These are no signed heartbeats:\n${problems.join('\n')}`)
    },
  }
}

export type TestVendor = Awaited<ReturnType<typeof startVendor>>
