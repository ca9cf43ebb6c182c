import { property, request, textProperty } from '../lib/api.js'
import { announce, byId, formById, showScreen } from '../lib/dom.js'
import { checkFields, clearFault, focusField, forgiveOnInput, showFault, valueOf } from '../lib/fields.js'
import { headingOf, startLanguage } from '../lib/page.js'
import { clearProblem, tellProblem } from '../lib/problem.js'
import { asUser, isSending, selectTenant, sent, startSignIn } from '../lib/sign-in.js'
import { clearText, intlLocale, setText, t } from '../lib/text.js'

/** @typedef {import('../lib/text.js').TextKey} TextKey */
/** @typedef {import('../lib/api.js').Reply} Reply */
/** @typedef {import('../lib/api.js').Problem} Problem */

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

let screen = 'sign-in'
let state = ''

const { retitle } = startLanguage(() => [headingOf(byId(screen))])
forgiveOnInput([token])

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

/** Shows the licence to its owner, and to anybody else where to sign in. */
async function look() {
  const reply = await asUser((accessToken) => request('GET', '/license', { accessToken }))
  if (reply.ok) return tell(reply.data)
  const { problem } = reply
  if (problem.status === 403) return show('foreign')
  show('sign-in')
  if (problem.status !== 401) tellProblem(problem)
}

/**
 * Chooses the institute that the person owns where they belong to several.
 * @param {Extract<Reply, { ok: true }>} reply of the sign-in
 * @returns {Promise<Reply>}
 */
async function chooseOwned(reply) {
  const memberships = property(reply.data, 'memberships')
  if (textProperty(reply.data, 'activeTenantId') !== '' || !Array.isArray(memberships)) return reply
  const owned = memberships.find((membership) => {
    const roles = property(membership, 'roles')
    return Array.isArray(roles) && roles.some((role) => textProperty(role, 'roleKey') === 'owner')
  })
  return owned ? selectTenant(textProperty(owned, 'tenantId')) : reply
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
  if (isSending()) return
  clearProblem()
  if (checkFields([token])) return focusField(token)
  const wasLocked = state === 'locked'
  const path = wasLocked ? '/license/unlock' : '/license'
  const body = { token: valueOf(token) }
  const reply = await sent('token-submit', 'license.token.sending', () =>
    asUser((accessToken) => request('POST', path, { accessToken, body })),
  )
  if (!reply.ok) return refuse(reply.problem)
  tell(reply.data)
  announce(t(wasLocked ? 'license.done' : 'license.done.put'))
}

const signIn = startSignIn({ also: chooseOwned, done: look, out: () => show('sign-in') })
formById('token-form').addEventListener('submit', (event) => {
  event.preventDefault()
  void submitToken()
})
byId('retry').addEventListener('click', () => {
  clearProblem()
  void (screen === 'state' ? submitToken() : signIn.isTyped() ? signIn.submit() : look())
})
void look()
