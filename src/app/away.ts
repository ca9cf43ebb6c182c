import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { FALLBACK_LOCALE, isLocale, type Locale } from '#shared/locale.ts'
import { Unavailable } from '#kernel/values/errors.ts'
import { errorBody } from '#http/replies/error-body.ts'
import type { Config } from './config/config.ts'
import { awayPage } from './pages/away-page.ts'
import { firstPair } from './process/tls.ts'

const AGAIN_SECONDS = '5'

/** The first of the program’s languages that the browser names. */
const languageOf = ({ headers }: IncomingMessage): Locale => {
  const named = (headers['accept-language'] ?? '').split(',').map((one) => one.trim().slice(0, 2).toLowerCase())
  return named.find(isLocale) ?? FALLBACK_LOCALE
}

const wantsPage = ({ method, url = '/', headers }: IncomingMessage): boolean =>
  method === 'GET' && !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html')

const answer: RequestListener = (request, response) => {
  const common = { 'Retry-After': AGAIN_SECONDS, 'Cache-Control': 'no-store', Connection: 'close' }
  const requestId = randomUUID()
  if (wantsPage(request)) {
    const { type, body, headers } = awayPage(languageOf(request))
    response.writeHead(503, { ...common, ...headers, 'Content-Type': type, Refresh: AGAIN_SECONDS })
    response.end(body as string | Buffer)
    return
  }
  response.writeHead(503, { ...common, 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId })
  response.end(JSON.stringify(errorBody(Unavailable(), requestId)))
}

/**
 * Answers everybody, in the place of a program that is away for a moment, that it comes back: 503 with Retry-After.
 * @returns a function that makes room again
 */
export const answerAway = async ({
  host,
  port,
  tls,
}: Pick<Config, 'host' | 'port' | 'tls'>): Promise<() => Promise<void>> => {
  const server = tls ? createTlsServer({ ...firstPair(tls), minVersion: 'TLSv1.2' }, answer) : createServer(answer)
  server.listen(port, host)
  await once(server, 'listening')
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
