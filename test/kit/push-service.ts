import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify, type ECDH } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const CURVE = 'prime256v1'
const MOST_BYTES = 4096
const DAY_SECONDS = 86_400

const hmac = (key: Buffer, ...data: (Buffer | string)[]): Buffer => {
  const made = createHmac('sha256', key)
  for (const part of data) made.update(part)
  return made.digest()
}

interface Browser {
  ecdh: ECDH
  auth: Buffer
  applicationServerKey: string
}

/** Decrypts a message as a browser does: RFC 8291 section 3.4, with the one record of RFC 8188 section 2. */
const decrypt = (body: Buffer, { ecdh, auth }: Browser): string => {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const keyLength = body.readUInt8(20)
  const serverKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  if (keyLength !== 65 || record.length > recordSize) throw new Error('not one record')
  const sharedSecret = ecdh.computeSecret(serverKey)
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), serverKey])
  const inputKey = hmac(hmac(auth, sharedSecret), keyInfo, Buffer.of(1))
  const pseudoRandom = hmac(salt, inputKey)
  const contentKey = hmac(pseudoRandom, 'Content-Encoding: aes128gcm\0', Buffer.of(1)).subarray(0, 16)
  const nonce = hmac(pseudoRandom, 'Content-Encoding: nonce\0', Buffer.of(1)).subarray(0, 12)
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('the last record does not end in 2')
  return padded.subarray(0, end).toString('utf8')
}

/** Checks who sends, by RFC 8292. @returns what is wrong */
const checkSender = (header: string | undefined, { applicationServerKey }: Browser, origin: string, now: number) => {
  const [, token = '', key] = /^vapid t=([^,\s]+),\s*k=(\S+)$/.exec(header ?? '') ?? []
  if (key !== applicationServerKey) return 'the key is not the one of the subscription'
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const [head = '', claims = '', signature = ''] = token.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return 'the signature is wrong'
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  if (aud !== origin) return 'the audience is wrong'
  if (exp <= now || exp > now + DAY_SECONDS) return 'the signature is not valid now'
  return /^(?:mailto:|https:)/.test(sub) ? undefined : 'nobody to write to'
}

export interface Pushed {
  endpoint: string
  payload: Record<string, unknown>
  topic: string | undefined
}

/** A push service on this machine, with the browsers that subscribe to it. @param nowMillis the time of the test */
export const startPushService = async (nowMillis: () => number) => {
  const browsers = new Map<string, Browser>()
  const answers = new Map<string, { status: number; headers?: Record<string, string> }>()
  const received: Pushed[] = []
  const refused: string[] = []
  let origin = ''

  const answer = async (request: IncomingMessage): Promise<{ status: number; headers?: Record<string, string> }> => {
    const body = await buffer(request)
    const endpoint = `${origin}${request.url}`
    const browser = browsers.get(endpoint)
    const special = answers.get(endpoint)
    if (!browser) return { status: 404 }
    const wrong = checkSender(request.headers.authorization, browser, origin, nowMillis() / 1000)
    if (wrong !== undefined) {
      refused.push(wrong)
      return { status: 403 }
    }
    if (special) return special
    if (request.headers.ttl === undefined || request.headers['content-encoding'] !== 'aes128gcm') return { status: 400 }
    if (body.length > MOST_BYTES) return { status: 413 }
    const topic = request.headers['topic'] as string | undefined
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) return { status: 400 }
    received.push({ endpoint, payload: JSON.parse(decrypt(body, browser)), topic })
    return { status: 201 }
  }
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, headers }) => response.writeHead(status, headers).end(),
      (error: unknown) => {
        refused.push(String(error))
        response.writeHead(400).end()
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    received,
    /** Why messages were refused that should not have been. */
    refused,
    /** A browser subscribes with a server's key. @returns its subscription as JSON */
    subscribe: (applicationServerKey: string) => {
      const ecdh = createECDH(CURVE)
      const p256dh = ecdh.generateKeys('base64url')
      const auth = randomBytes(16)
      const endpoint = `${origin}/push/${randomBytes(12).toString('hex')}`
      browsers.set(endpoint, { ecdh, auth, applicationServerKey })
      return { endpoint, expirationTime: null, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    /** Answers for one browser from now on. */
    answer: (endpoint: string, status: number, headers?: Record<string, string>): void => {
      answers.set(endpoint, { status, ...(headers && { headers }) })
    },
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}
