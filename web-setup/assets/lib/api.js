import { deadline, NoReply, replyTo, textOf } from '../../../src/shared/reply-to.ts'

/** @typedef {{ path: string[], message: string }} Issue */
/**
 * Why a request failed. `unreachable`: no reply came, so nobody knows whether the request took effect; `foreign`: what
 * came is none of the server, as of a proxy in front of it.
 * @typedef {object} Problem
 * @property {'unreachable' | 'foreign' | 'answered'} kind
 * @property {number} status 0 when unreachable
 * @property {string} code the contract's error code, or '' when there is none
 * @property {string} reason which case of the code it is, or ''
 * @property {Issue[]} issues
 * @property {number | null} retryAfterSec
 * @property {string | null} requestId
 */
/** @typedef {{ ok: true, data: unknown } | { ok: false, problem: Problem }} Reply */

const TIMEOUT_MS = 30_000

/**
 * Sends a request to the server of this page. The reply says what failed; it throws nothing but a fault of this script.
 * @param {'GET' | 'POST'} method
 * @param {string} path below /api/v1; one that begins with two slashes lies at the server's root
 * @param {{ body?: unknown, accessToken?: string, idempotencyKey?: string, headers?: Record<string, string> }} [options]
 * @returns {Promise<Reply>}
 */
export async function request(method, path, { body, accessToken, idempotencyKey, headers: more } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: 'application/json', ...more }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (accessToken) headers['Authorization'] = `Bearer ${accessToken}`
  if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey
  const asked = new Request(path.startsWith('//') ? path.slice(1) : `/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    credentials: 'same-origin',
    cache: 'no-store',
    signal: deadline(TIMEOUT_MS),
  })
  try {
    const response = await replyTo(asked)
    const answer = parse(await textOf(response))
    if (response.ok && answer !== undefined) return { ok: true, data: answer }
    return { ok: false, problem: readProblem(response, answer) }
  } catch (error) {
    if (!(error instanceof NoReply)) throw error
    return {
      ok: false,
      problem: {
        kind: 'unreachable',
        status: 0,
        code: '',
        reason: '',
        issues: [],
        retryAfterSec: null,
        requestId: null,
      },
    }
  }
}

/** Makes a random key. crypto.randomUUID is missing on a plain http address of the local network. */
export function newIdempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown}
 */
export function property(value, name) {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/**
 * @param {unknown} value
 * @param {string} name
 */
export function textProperty(value, name) {
  const found = property(value, name)
  return typeof found === 'string' ? found : ''
}

/** @param {string} text */
function parse(text) {
  try {
    return /** @type {unknown} */ (JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * @param {Response} response
 * @param {unknown} answer
 * @returns {Problem}
 */
function readProblem(response, answer) {
  const error = property(answer, 'error')
  const details = property(error, 'details')
  const issues = property(details, 'issues')
  const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10)
  return {
    kind: error === undefined ? 'foreign' : 'answered',
    status: response.status,
    code: textProperty(error, 'code'),
    reason: textProperty(details, 'reason'),
    issues: Array.isArray(issues) ? issues.map(readIssue) : [],
    retryAfterSec: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    requestId: textProperty(error, 'requestId') || null,
  }
}

/**
 * @param {unknown} issue
 * @returns {Issue}
 */
function readIssue(issue) {
  const path = property(issue, 'path')
  const segments = Array.isArray(path) ? path.map(String) : []
  return { path: segments[0] === 'body' ? segments.slice(1) : segments, message: textProperty(issue, 'message') }
}
