import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Config } from '#app/config/config.ts'
import { Mistake } from '#app/trouble/mistake.ts'

export interface Health {
  isReady: boolean
  /** One line. */
  text: string
}

const DEADLINE_MILLIS = 5000
const PATH = '/api/v1/health/ready'

/** The address at which a machine reaches itself when a server listens on all addresses. */
const OWN: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

interface Reply {
  status: number
  body: string
}

const ask = ({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const take = async (response: IncomingMessage): Promise<void> => {
      resolve({ status: response.statusCode ?? 0, body: await text(response) })
    }
    const listener = (response: IncomingMessage): void => void take(response).catch(reject)
    const options = { host, port, path: PATH, signal: AbortSignal.timeout(DEADLINE_MILLIS) }
    // The certificate names the public host, not this address; and the reply holds no secret.
    const asking = tls
      ? requestHttps({ ...options, rejectUnauthorized: false }, listener)
      : requestHttp(options, listener)
    asking.on('error', reject).end()
  })

interface Ready {
  status?: unknown
  checks?: Record<string, { error?: unknown } | undefined>
}

const parsed = (body: string): Ready => {
  try {
    return (JSON.parse(body) ?? {}) as Ready
  } catch {
    return {}
  }
}

/**
 * Asks the server with this configuration on this machine whether it is ready.
 * @throws a Mistake where the configuration does not tell its port
 */
export const askHealth = async ({ host: listens, port, tls }: Config): Promise<Health> => {
  if (port === 0) throw new Mistake('INSTITUTE_PORT=0: with a port of the system’s choice nobody knows whom to ask.')
  const host = OWN[listens] ?? listens
  const at = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  let reply: Reply
  try {
    reply = await ask({ host, port, tls })
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException
    if (code === 'ECONNREFUSED') return { isReady: false, text: `not running: nothing listens at ${at}` }
    const why =
      name === 'AbortError' || name === 'TimeoutError' ? `within ${DEADLINE_MILLIS / 1000} seconds` : `(${message})`
    return { isReady: false, text: `not ready: no answer at ${at} ${why}` }
  }
  const { status, checks = {} } = parsed(reply.body)
  if (reply.status === 200 && status === 'ok') return { isReady: true, text: `ready at ${at}` }
  if (reply.status !== 503 || status !== 'error') {
    return { isReady: false, text: `not running: another program answers at ${at}` }
  }
  const errors = Object.values(checks).flatMap((check) => (typeof check?.error === 'string' ? [check.error] : []))
  return { isReady: false, text: `not ready at ${at}: ${errors.join('; ') || 'the log says why'}` }
}
