import { property, request, textProperty } from '../lib/api.js'
import { byId, formById, showScreen } from '../lib/dom.js'
import { headingOf, startLanguage } from '../lib/page.js'
import { clearProblem, tellProblem } from '../lib/problem.js'
import { asUser, isSending, sent, startSignIn } from '../lib/sign-in.js'
import { setText } from '../lib/text.js'

/** An assistant asks to act for whoever opens this page (OAuth 2.1, the authorization endpoint). */

/** @typedef {import('../lib/text.js').TextKey} TextKey */
/** @typedef {import('../lib/api.js').Problem} Problem */
/** @typedef {{ tenantId: string, name: string, allowed: boolean, permissions: string[] }} Institute */

/** What an assistant can do, by the permissions of which the member has one. The first that fits in each group counts. */
/** @type {readonly (readonly { permissions: readonly string[], key: TextKey }[])[]} */
const ABLE = [
  [{ permissions: ['students.read', 'guardians.read'], key: 'authorize.can.people' }],
  [{ permissions: ['groups.read'], key: 'authorize.can.groups' }],
  [{ permissions: ['enrollments.write'], key: 'authorize.can.enrol' }],
  [
    { permissions: ['attendance.mark'], key: 'authorize.can.attendance' },
    { permissions: ['attendance.read'], key: 'authorize.can.attendanceSeen' },
  ],
  [{ permissions: ['exams.read'], key: 'authorize.can.exams' }],
  [{ permissions: ['invoices.read'], key: 'authorize.can.money' }],
  [{ permissions: ['invoices.write'], key: 'authorize.can.invoices' }],
  [{ permissions: ['payments.record'], key: 'authorize.can.payments' }],
  [
    { permissions: ['leads.write'], key: 'authorize.can.leads' },
    { permissions: ['leads.read'], key: 'authorize.can.leadsSeen' },
  ],
  [{ permissions: ['notifications.send'], key: 'authorize.can.messages' }],
  [{ permissions: ['reports.read'], key: 'authorize.can.figures' }],
]

const asked = new URLSearchParams(location.search)
const clientId = asked.get('client_id') ?? ''
const redirectUri = asked.get('redirect_uri') ?? ''
const state = asked.get('state') ?? undefined
const scope = asked.get('scope') || undefined
const resource = asked.get('resource') || undefined
const codeChallenge = asked.get('code_challenge') ?? ''

let screen = 'sign-in'
/** The error of OAuth with which a request goes back that cannot be granted; '' when it can. */
let fault = ''
/** @type {Institute[]} */
let institutes = []

const { retitle } = startLanguage(() => [headingOf(byId(screen))])

/** @param {string} next */
function show(next) {
  clearProblem()
  screen = next
  showScreen(next)
  retitle()
}

/** What is wrong with the request itself, in the words of RFC 6749 (4.1.2.1). */
function faultOfRequest() {
  const names = [...asked.keys()]
  if (new Set(names).size < names.length) return 'invalid_request'
  if (!asked.has('response_type')) return 'invalid_request'
  if (asked.get('response_type') !== 'code') return 'unsupported_response_type'
  const isChallenge = /^[\w-]{43}$/.test(codeChallenge) && asked.get('code_challenge_method') === 'S256'
  return isChallenge ? '' : 'invalid_request'
}

/** @param {unknown} given of the reply */
function institutesIn(given) {
  return Array.isArray(given)
    ? given.map((one) => ({
        tenantId: textProperty(one, 'tenantId'),
        name: textProperty(one, 'tenantName'),
        allowed: property(one, 'allowed') === true,
        permissions: /** @type {string[]} */ (property(one, 'permissions') ?? []),
      }))
    : []
}

/** Whoever belongs to one institute alone has nothing to choose. */
function chosen() {
  const input = document.querySelector('#institutes input:checked')
  const tenantId = input instanceof HTMLInputElement ? input.value : ''
  const possible = institutes.filter(({ allowed }) => allowed)
  return possible.find((one) => one.tenantId === tenantId) ?? possible[0]
}

/** Says what the assistant can do in the chosen institute. */
function tellAbilities() {
  const held = new Set(chosen()?.permissions)
  const keys = ABLE.flatMap((group) => {
    const first = group.find(({ permissions }) => permissions.some((one) => held.has(one)))
    return first ? [first.key] : []
  })
  byId('can').replaceChildren(
    ...[...keys, /** @type {TextKey} */ ('authorize.can.own')].map((key) => {
      const item = document.createElement('li')
      setText(item, key)
      return item
    }),
  )
}

/** @param {Institute} institute @param {boolean} checked */
function card({ tenantId, name, allowed }, checked) {
  const label = document.createElement('label')
  const input = document.createElement('input')
  input.type = 'radio'
  input.name = 'institute'
  input.value = tenantId
  input.checked = checked
  input.disabled = !allowed
  input.addEventListener('change', tellAbilities)
  const text = document.createElement('span')
  const called = document.createElement('bdi')
  called.textContent = name
  text.append(called)
  if (!allowed) {
    const why = document.createElement('small')
    setText(why, 'authorize.notAllowed')
    text.append(why)
  }
  label.append(input, text)
  return label
}

/** @param {string} host as the server names it: a host, or the scheme of a program on the device */
function tellWhereTo(host) {
  if (/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)) setText(byId('returns'), 'authorize.returns.here')
  // With a hyphen at which no line breaks: a scheme in two lines is hard to read from right to left.
  else if (host.endsWith(':')) {
    setText(byId('returns'), 'authorize.returns.program', { scheme: host.slice(0, -1).replaceAll('-', '\u2011') })
  } else setText(byId('returns'), 'authorize.returns.host', { host })
}

/**
 * @param {unknown} context the reply of GET /oauth/consent-context
 * @param {string} email of the account
 */
function tell(context, email) {
  const client = property(context, 'client')
  const name = textProperty(client, 'name')
  const isVerified = property(client, 'verified') === true
  setText(byId('ask-title'), 'authorize.title', { client: name })
  setText(byId('account'), 'authorize.account', { email })
  byId('client-name').textContent = name
  byId('unverified').hidden = isVerified
  byId('verified-row').hidden = !isVerified
  byId('verified-host').textContent = isVerified ? new URL(clientId).host : ''
  tellWhereTo(textProperty(context, 'redirectHost'))
  institutes = institutesIn(property(context, 'tenants'))
  const only = institutes.length === 1 ? institutes[0] : undefined
  byId('institute-row').hidden = !only
  byId('institute').textContent = only?.name ?? ''
  const first = chosen()
  for (const label of document.querySelectorAll('#institutes label')) label.remove()
  byId('institutes').hidden = only !== undefined
  if (!only) byId('institutes').append(...institutes.map((one) => card(one, one.tenantId === first?.tenantId)))
  if (fault !== '') return show('faulty')
  if (!first) return show('nowhere')
  tellAbilities()
  show('ask')
}

/** @param {TextKey} key */
function refuseRequest(key) {
  setText(byId('invalid-text'), key)
  show('invalid')
}

/** @param {string | undefined} wanted the resource */
function contextOf(wanted) {
  const query = new URLSearchParams({ clientId, redirectUri })
  if (scope) query.set('scope', scope)
  if (wanted) query.set('resource', wanted)
  return asUser((accessToken) => request('GET', `/oauth/consent-context?${query}`, { accessToken }))
}

/** Shows the request to whoever is signed in, and to anybody else where to sign in. */
async function look() {
  if (clientId === '' || redirectUri === '') return refuseRequest('authorize.invalid.incomplete')
  fault = faultOfRequest()
  let reply = await contextOf(resource)
  if (!reply.ok && reply.problem.issues.some(({ path }) => path[0] === 'resource')) {
    fault ||= 'invalid_target'
    reply = await contextOf(undefined)
  }
  if (!reply.ok) return refuse(reply.problem)
  const me = await asUser((accessToken) => request('GET', '/auth/me', { accessToken }))
  if (!me.ok) return refuse(me.problem)
  tell(reply.data, textProperty(property(me.data, 'user'), 'email'))
}

/** @param {Problem} problem */
function refuse(problem) {
  if (problem.code === 'OAUTH_CLIENT_NOT_FOUND') return refuseRequest('authorize.invalid.client')
  if (problem.code === 'OAUTH_INVALID_REDIRECT_URI') return refuseRequest('authorize.invalid.redirect')
  if (problem.status === 422) return refuseRequest('authorize.invalid.incomplete')
  const isSignedOut = problem.status === 401 || problem.status === 403
  if (screen !== 'ask' || isSignedOut) show('sign-in')
  if (!isSignedOut) tellProblem(problem)
}

/** Goes where the answer belongs. A program on the device opens beside this page, which stays. @param {string} address */
function leave(address) {
  show('done')
  location.assign(address)
}

/**
 * @param {string} button
 * @param {{ approve: boolean, tenantId?: string | undefined }} decision
 */
async function decide(button, decision) {
  if (isSending()) return
  clearProblem()
  const body = {
    ...decision,
    clientId,
    redirectUri,
    codeChallenge,
    codeChallengeMethod: 'S256',
    state,
    scope,
    resource,
  }
  const reply = await sent(button, 'authorize.sending', () =>
    asUser((accessToken) => request('POST', '/oauth/consent', { accessToken, body })),
  )
  if (reply.ok) return leave(textProperty(reply.data, 'redirectTo'))
  if (reply.problem.code === 'OAUTH_ACCESS_DENIED') return look()
  refuse(reply.problem)
}

/** Sends a faulty request back to the client, whose redirect URI the server knows. */
async function sendBack() {
  if (isSending()) return
  clearProblem()
  const metadata = await sent('faulty-back', 'authorize.sending', () =>
    request('GET', '//.well-known/oauth-authorization-server'),
  )
  if (!metadata.ok) return tellProblem(metadata.problem)
  const answer = new URLSearchParams({ error: fault })
  if (state !== undefined) answer.set('state', state)
  answer.set('iss', textProperty(metadata.data, 'issuer'))
  leave(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${answer}`)
}

const signIn = startSignIn({ done: look, out: () => show('sign-in') })
formById('form').addEventListener('submit', (event) => {
  event.preventDefault()
  void decide('approve', { approve: true, tenantId: chosen()?.tenantId })
})
byId('refuse').addEventListener('click', () => void decide('refuse', { approve: false }))
byId('nowhere-back').addEventListener('click', () => void decide('nowhere-back', { approve: false }))
byId('faulty-back').addEventListener('click', () => void sendBack())
byId('retry').addEventListener('click', () => {
  clearProblem()
  if (screen === 'sign-in' && signIn.isTyped()) void signIn.submit()
  else void look()
})
void look()
