import { property, request, textProperty } from '../lib/api.js'
import { announce, byId, formById, inputById, setBusy, showScreen } from '../lib/dom.js'
import { checkFields, clearFault, focusField, forgiveOnInput, showFault, valueOf } from '../lib/fields.js'
import { headingOf, startLanguage } from '../lib/page.js'
import { clearProblem, tellProblem } from '../lib/problem.js'
import { clearText, intlLocale, setText, t } from '../lib/text.js'

/** @typedef {import('../lib/text.js').TextKey} TextKey */
/** @typedef {import('../lib/api.js').Reply} Reply */
/** @typedef {import('../lib/api.js').Problem} Problem */

/** @type {import('../lib/fields.js').Field} */
const email = {
  id: 'email',
  path: ['email'],
  missing: 'owner.email.missing',
  wrong: 'owner.email.wrong',
  accepts: (value) => /^[^@\s]+@[^@\s]+$/.test(value),
}
/** @type {import('../lib/fields.js').Field} */
const password = {
  id: 'password',
  path: ['password'],
  missing: 'license.password.missing',
  wrong: 'license.signIn.wrong',
  accepts: () => true,
  verbatim: true,
}
/** @type {import('../lib/fields.js').Field} */
const token = {
  id: 'token',
  path: ['token'],
  missing: 'license.token.missing',
  wrong: 'license.token.wrong',
  accepts: (value) => value.length <= 8192,
}

/** @typedef {{ title: TextKey, lead: TextKey }} Heading */
/** @type {Heading} */
const UNLICENSED = { title: 'license.unlicensed.title', lead: 'license.unlicensed.lead' }
/** @type {Record<string, Heading>} */
const STATES = {
  locked: { title: 'license.locked.title', lead: 'license.locked.lead' },
  active: { title: 'license.active.title', lead: 'license.active.lead' },
}

/** Why a token was refused, by the server's word for it. */
/** @type {Record<string, TextKey>} */
const REFUSALS = {
  used: 'license.token.used',
  expired: 'license.token.expired',
  other_license: 'license.token.otherLicense',
  no_license: 'license.token.noLicense',
  wrong_kind: 'license.token.otherKind',
  malformed: 'license.token.broken',
  bad_signature: 'license.token.broken',
  other_key: 'license.token.broken',
}

/** @type {Record<string, TextKey>} */
const SIGN_IN_PROBLEMS = {
  INVALID_CREDENTIALS: 'license.signIn.wrong',
  ACCOUNT_LOCKED: 'license.signIn.locked',
  ACCOUNT_DISABLED: 'license.signIn.disabled',
}

let screen = 'sign-in'
let state = ''
/** Kept in memory only; the session's cookie renews it. */
let accessToken = ''
let busy = false

const { retitle } = startLanguage(() => [headingOf(byId(screen))])
forgiveOnInput([email, password, token])

function tokenField() {
  const element = byId('token')
  if (!(element instanceof HTMLTextAreaElement)) throw new Error('#token is no text area')
  return element
}

/** @param {string} next */
function show(next) {
  clearProblem()
  screen = next
  showScreen(next)
  retitle()
}

/** @param {string} text an instant, or '' */
function dateOf(text) {
  const instant = new Date(text)
  return () => new Intl.DateTimeFormat(intlLocale(), { dateStyle: 'long', timeStyle: 'short' }).format(instant)
}

/**
 * Shows a value, or the words for none.
 * @param {string} id
 * @param {string} value
 * @param {TextKey} none
 */
function showValue(id, value, none) {
  clearText(byId(id))
  if (value === '') setText(byId(id), none)
  else byId(id).textContent = value
}

/** @param {unknown} license the reply of GET /license */
function tell(license) {
  state = textProperty(license, 'state')
  const locked = state === 'locked'
  const { title, lead } = STATES[state] ?? UNLICENSED
  setText(byId('state-title'), title)
  setText(byId('state-lead'), lead)
  const licenseId = textProperty(license, 'licenseId')
  const heard = textProperty(license, 'lastHeartbeatAt')
  const lastError = textProperty(license, 'lastError')
  const grace = textProperty(license, 'graceEndsAt')
  const reason = textProperty(license, 'reason')
  const isLate = grace !== '' && Date.parse(grace) <= Date.now()
  byId('grace').hidden = !isLate
  if (isLate) setText(byId('grace'), 'license.grace', { since: dateOf(heard === '' ? grace : heard) })
  byId('reason-row').hidden = !locked && reason === ''
  showValue('reason', reason, 'license.reason.none')
  showValue('plan', textProperty(license, 'plan'), 'license.plan.none')
  if (heard === '') setText(byId('heard'), 'license.heard.never')
  else setText(byId('heard'), 'license.heard.at', { at: dateOf(heard) })
  byId('license-id').textContent = licenseId
  byId('install-id').textContent = textProperty(license, 'installId')
  for (const summary of document.querySelectorAll('#state .summary')) {
    if (summary instanceof HTMLElement) summary.hidden = licenseId === '' && !locked
  }
  byId('last-error').hidden = lastError === ''
  byId('last-error-text').textContent = lastError
  byId('locked-help').hidden = !locked
  setText(byId('token-label'), locked ? 'license.unlock' : 'license.put')
  setText(byId('token-hint'), locked ? 'license.unlock.hint' : 'license.put.hint')
  setText(byId('token-submit'), locked ? 'license.unlock.submit' : 'license.put.submit')
  tokenField().value = ''
  clearFault('token')
  show('state')
}

/**
 * Asks the server in the name of whoever is signed in, and renews the access token once when it has ended.
 * @param {() => Promise<Reply>} ask
 * @returns {Promise<Reply>}
 */
async function signedIn(ask) {
  const first = accessToken === '' ? null : await ask()
  if (first && (first.ok || first.problem.status !== 401)) return first
  const renewed = await request('POST', '/auth/refresh', { body: {} })
  if (!renewed.ok) return renewed
  accessToken = textProperty(renewed.data, 'accessToken')
  return ask()
}

/** Shows the licence to its owner, and to anybody else where to sign in. */
async function look() {
  const reply = await signedIn(() => request('GET', '/license', { accessToken }))
  if (reply.ok) return tell(reply.data)
  const { problem } = reply
  if (problem.status === 403) return show('foreign')
  show('sign-in')
  if (problem.status !== 401) tellProblem(problem)
}

/**
 * Marks the button as busy while something is sent.
 * @param {string} id of the button
 * @param {TextKey} sending
 * @param {() => Promise<Reply>} send
 */
async function sent(id, sending, send) {
  const button = byId(id)
  const label = /** @type {TextKey} */ (button.getAttribute('data-t'))
  busy = true
  setBusy(button, true)
  setText(button, sending)
  announce(t(sending))
  const reply = await send()
  announce('')
  busy = false
  setBusy(button, false)
  setText(button, label)
  return reply
}

/**
 * Signs in, and chooses the institute that the person owns where they belong to several.
 * @returns {Promise<Reply>}
 */
async function signIn() {
  const body = { email: valueOf(email), password: valueOf(password) }
  const reply = await request('POST', '/auth/login', { body })
  if (!reply.ok) return reply
  accessToken = textProperty(reply.data, 'accessToken')
  const memberships = property(reply.data, 'memberships')
  if (textProperty(reply.data, 'activeTenantId') !== '' || !Array.isArray(memberships)) return reply
  const owned = memberships.find((membership) => {
    const roles = property(membership, 'roles')
    return Array.isArray(roles) && roles.some((role) => textProperty(role, 'roleKey') === 'owner')
  })
  if (!owned) return reply
  const tenantId = textProperty(owned, 'tenantId')
  const chosen = await request('POST', '/auth/select-tenant', { accessToken, body: { tenantId } })
  if (chosen.ok) accessToken = textProperty(chosen.data, 'accessToken')
  return chosen
}

async function submitSignIn() {
  if (busy) return
  clearProblem()
  const wrong = checkFields([email, password])
  if (wrong) return focusField(wrong)
  const reply = await sent('sign-in-submit', 'license.signIn.sending', signIn)
  if (reply.ok) {
    inputById('password').value = ''
    return look()
  }
  const key = SIGN_IN_PROBLEMS[reply.problem.code]
  if (!key) return tellProblem(reply.problem)
  showFault('password', key)
  focusField(password)
}

/** @param {Problem} problem */
function refuse(problem) {
  if (problem.status === 401) {
    show('sign-in')
    return
  }
  const key = problem.code === 'LICENSE_INVALID' ? (REFUSALS[problem.reason] ?? 'license.token.noVendor') : undefined
  if (!key) return tellProblem(problem)
  showFault('token', key)
  focusField(token)
}

async function submitToken() {
  if (busy) return
  clearProblem()
  if (checkFields([token])) return focusField(token)
  const wasLocked = state === 'locked'
  const path = wasLocked ? '/license/unlock' : '/license'
  const body = { token: valueOf(token) }
  const reply = await sent('token-submit', 'license.token.sending', () =>
    signedIn(() => request('POST', path, { accessToken, body })),
  )
  if (!reply.ok) return refuse(reply.problem)
  tell(reply.data)
  announce(t(wasLocked ? 'license.done' : 'license.done.put'))
}

async function signOut() {
  await request('POST', '/auth/logout', { accessToken, body: {} })
  accessToken = ''
  show('sign-in')
}

formById('sign-in-form').addEventListener('submit', (event) => {
  event.preventDefault()
  void submitSignIn()
})
formById('token-form').addEventListener('submit', (event) => {
  event.preventDefault()
  void submitToken()
})
for (const button of document.querySelectorAll('[data-sign-out]')) {
  button.addEventListener('click', () => void signOut())
}
byId('retry').addEventListener('click', () => {
  clearProblem()
  void (screen === 'state' ? submitToken() : valueOf(password) === '' ? look() : submitSignIn())
})
void look()
