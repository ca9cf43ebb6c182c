import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import type { Outbound } from '#ports/outbound/port.ts'

/** What the accounts at the stand-ins have. */
export const TWILIO = {
  accountSid: `AC${'0f'.repeat(16)}`,
  token: 'twilio-token-0123456789',
  from: '+15005550006',
  contentSid: `HX${'ab'.repeat(16)}`,
}
export const META = {
  phoneNumberId: '106540352242922',
  token: 'EAAmeta-token-0123456789',
  /** A template with its named parameters, in English and Arabic. */
  template: { name: 'absence_notice', parameters: ['recipient_name', 'data_day'], locales: ['en', 'ar'] },
}
export const GENERIC = { url: 'https://sms.example.org/v1/send', token: 'generic-token-0123456789' }

interface Reply {
  status: number
  json: unknown
}

/** How a broken or busy provider behaves; null: as it should. */
export type Trouble = { status: number; headers?: Record<string, string>; body: string } | 'cut' | 'hangs' | null

export interface Texted {
  /** The host that was meant. */
  host: string
  to: string
  text: string | null
  template: { name: string; values: unknown } | null
}

type Asked = { headers: IncomingMessage['headers']; path: string; body: string }
type Answer = Reply & { texted?: Omit<Texted, 'host'> }

const E164 = /^\+[1-9]\d{6,14}$/
/** Templates take neither line breaks nor tabs in a value, nor more than four blanks in a row. */
const UNTIDY = /[\n\t]| {5}/

const twilioError = (status: number, code: number, message: string): Answer => ({
  status,
  json: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
})

/** What https://www.twilio.com/docs/messaging/api/message-resource says of creating a message. */
const askTwilio = ({ headers, path, body }: Asked): Answer => {
  const basic = `Basic ${Buffer.from(`${TWILIO.accountSid}:${TWILIO.token}`).toString('base64')}`
  if (headers.authorization !== basic) {
    return twilioError(401, 20003, `Authentication Error - ${headers.authorization?.slice('Basic '.length)}`)
  }
  if (path !== `/2010-04-01/Accounts/${TWILIO.accountSid}/Messages.json`) {
    return twilioError(404, 20404, 'The requested resource was not found')
  }
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') {
    return twilioError(400, 21604, "A 'To' phone number is required.")
  }
  const form = new URLSearchParams(body)
  const to = form.get('To') ?? ''
  const from = form.get('From') ?? ''
  const prefix = to.startsWith('whatsapp:') ? 'whatsapp:' : ''
  if (!E164.test(to.slice(prefix.length))) return twilioError(400, 21211, `Invalid 'To' Phone Number: ${to}`)
  if (from !== `${prefix}${TWILIO.from}`) {
    return prefix === ''
      ? twilioError(400, 21659, `'From' ${from} is not a Twilio phone number or Short Code country mismatch`)
      : twilioError(400, 63007, 'Twilio could not find a Channel with the specified From address')
  }
  const contentSid = form.get('ContentSid')
  if (contentSid !== null) {
    if (contentSid !== TWILIO.contentSid) return twilioError(400, 21655, 'The ContentSid is Invalid')
    const values: Record<string, string> = JSON.parse(form.get('ContentVariables') ?? '{}')
    if (Object.entries(values).some(([name, value]) => name.length > 16 || value === '' || UNTIDY.test(value))) {
      return twilioError(400, 21656, 'The ContentVariables Parameter is invalid')
    }
    return { status: 201, json: { sid: 'SM1' }, texted: { to, text: null, template: { name: contentSid, values } } }
  }
  const text = form.get('Body') ?? ''
  if (text === '') return twilioError(400, 21602, 'Message body is required.')
  if (text.length > 1600) {
    return twilioError(400, 21617, 'The concatenated message body exceeds the 1600 character limit')
  }
  return { status: 201, json: { sid: 'SM1', status: 'queued' }, texted: { to, text, template: null } }
}

const metaError = (status: number, code: number, message: string, details?: string): Answer => ({
  status,
  json: {
    error: {
      message: `(#${code}) ${message}`,
      type: 'OAuthException',
      code,
      ...(details !== undefined && { error_data: { messaging_product: 'whatsapp', details } }),
      fbtrace_id: 'A1',
    },
  },
})

/**
 * What https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages says, and what the Graph API below it
 * answers where nothing is at the address.
 */
const askMeta = ({ headers, path, body }: Asked): Answer => {
  if (headers.authorization !== `Bearer ${META.token}`) {
    return metaError(401, 190, `Invalid OAuth access token - ${headers.authorization}`)
  }
  if (!new RegExp(`^/v\\d+\\.0/${META.phoneNumberId}/messages$`).test(path)) {
    const message = `Unsupported post request. Object with ID '${path.split('/')[2]}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`
    const error = { message, type: 'GraphMethodException', code: 100, error_subcode: 33, fbtrace_id: 'A1' }
    return { status: 400, json: { error } }
  }
  const asked = JSON.parse(body)
  const { to } = asked
  if (asked.messaging_product !== 'whatsapp') return metaError(400, 100, 'The parameter messaging_product is required.')
  if (!/^\+?[1-9]\d{6,14}$/.test(to)) return metaError(400, 131009, 'Parameter value is not valid')
  if (asked.type === 'text') {
    if (asked.text.body.length > 4096)
      return metaError(400, 100, "Param text['body'] must be at most 4096 characters long.")
    return {
      status: 200,
      json: { messages: [{ id: 'wamid.1' }] },
      texted: { to, text: asked.text.body, template: null },
    }
  }
  const { name, language, components } = asked.template
  const known = META.template
  if (name !== known.name || !known.locales.includes(language.code)) {
    return metaError(
      404,
      132001,
      'Template name does not exist in the translation',
      `template name (${name}) does not exist in ${language.code}`,
    )
  }
  const given: { parameter_name: string; text: string }[] = components[0].parameters
  if (given.map((one) => one.parameter_name).join() !== known.parameters.join()) {
    return metaError(400, 132000, 'Number of parameters does not match the expected number of params')
  }
  if (given.some(({ text }) => text === '' || UNTIDY.test(text))) {
    return metaError(400, 132018, 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces')
  }
  return {
    status: 200,
    json: { messages: [{ id: 'wamid.1' }] },
    texted: { to, text: null, template: { name, values: given } },
  }
}

/** The format that the endpoint of providers documents. */
const askGeneric = ({ headers, body }: Asked): Answer => {
  if (headers.authorization !== `Bearer ${GENERIC.token}`) {
    return { status: 401, json: { error: { message: `no account has the ${headers.authorization}` } } }
  }
  if (headers['content-type'] !== 'application/json') return { status: 415, json: { error: 'send JSON' } }
  const { to, text, template } = JSON.parse(body)
  if (!E164.test(to)) return { status: 422, json: { message: 'to is not in E.164' } }
  return { status: 202, json: {}, texted: { to, text, template } }
}

const PROVIDERS: Readonly<Record<string, (asked: Asked) => Answer>> = {
  'api.twilio.com': askTwilio,
  'graph.facebook.com': askMeta,
  'sms.example.org': askGeneric,
}

/** Stands in for providers of SMS and WhatsApp, on this machine, behind the program's own outbound guard. */
export const startTextProviders = async () => {
  const texted: Texted[] = []
  const keys: (string | undefined)[] = []
  let trouble: Trouble = null

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await buffer(request)).toString()
    const key = request.headers['idempotency-key'] as string | undefined
    keys.push(key)
    const [, host = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? []
    if (trouble === 'hangs') return
    if (trouble === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
      response.write('{"messages": [')
      setImmediate(() => request.socket.destroy())
      return
    }
    if (trouble) {
      response.writeHead(trouble.status, trouble.headers).end(trouble.body)
      return
    }
    const reply = PROVIDERS[host]?.({ headers: request.headers, path, body }) ?? { status: 404, json: {} }
    if (reply.texted) {
      texted.push({ ...reply.texted, host })
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.json))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const guarded = guardedOutbound({ policy: { blockPrivate: false, requireHttps: false } })
  const outbound: Outbound = {
    post: (request) =>
      guarded.post({
        ...request,
        url: request.url.replace('https:/', `http://127.0.0.1:${port}`),
        deadlineMs: Math.min(request.deadlineMs ?? 2000, 2000),
      }),
    get: (request) => guarded.get(request),
    close: () => guarded.close(),
  }
  return {
    outbound,
    /** What was accepted. */
    texted,
    /** The Idempotency-Key of every request, accepted or not. */
    keys,
    behave: (next: Trouble): void => {
      trouble = next
    },
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}
