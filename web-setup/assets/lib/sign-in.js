import { request, textProperty } from './api.js'
import { announce, byId, formById, inputById, setBusy } from './dom.js'
import { checkFields, focusField, forgiveOnInput, showFault, valueOf } from './fields.js'
import { clearProblem, tellProblem } from './problem.js'
import { setText, t } from './text.js'

/** The form of pages/sign-in.html, and requests in the name of whoever signed in with it. */

/** @typedef {import('./text.js').TextKey} TextKey */
/** @typedef {import('./api.js').Reply} Reply */

/** @type {import('./fields.js').Field} */
const email = {
  id: 'email',
  path: ['email'],
  missing: 'owner.email.missing',
  wrong: 'owner.email.wrong',
  accepts: (value) => /^[^@\s]+@[^@\s]+$/.test(value),
}
/** @type {import('./fields.js').Field} */
const password = {
  id: 'password',
  path: ['password'],
  missing: 'signIn.password.missing',
  wrong: 'signIn.wrong',
  accepts: () => true,
  verbatim: true,
}

/** @type {Record<string, TextKey>} */
const PROBLEMS = {
  INVALID_CREDENTIALS: 'signIn.wrong',
  ACCOUNT_LOCKED: 'signIn.locked',
  ACCOUNT_DISABLED: 'signIn.disabled',
}

/** Kept in memory only; the session's cookie renews it. */
let accessToken = ''
let busy = false

/** Whether a request of a button is on its way: a second one must wait. */
export function isSending() {
  return busy
}

/**
 * Asks the server in the name of whoever is signed in, and renews the access token once when it has ended.
 * @param {(accessToken: string) => Promise<Reply>} ask
 * @returns {Promise<Reply>}
 */
export async function asUser(ask) {
  const first = accessToken === '' ? null : await ask(accessToken)
  if (first && (first.ok || first.problem.status !== 401)) return first
  const renewed = await request('POST', '/auth/refresh', { body: {} })
  if (!renewed.ok) return renewed
  accessToken = textProperty(renewed.data, 'accessToken')
  return ask(accessToken)
}

/**
 * Binds the session to an institute.
 * @param {string} tenantId
 * @returns {Promise<Reply>}
 */
export async function selectTenant(tenantId) {
  const chosen = await request('POST', '/auth/select-tenant', { accessToken, body: { tenantId } })
  if (chosen.ok) accessToken = textProperty(chosen.data, 'accessToken')
  return chosen
}

/**
 * Marks the button as busy while something is sent.
 * @param {string} id of the button
 * @param {TextKey} sending
 * @param {() => Promise<Reply>} send
 */
export async function sent(id, sending, send) {
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
 * Wires the form, and every button[data-sign-out].
 * @param {object} page
 * @param {(reply: Extract<Reply, { ok: true }>) => Promise<Reply>} [page.also] what belongs to the sign-in itself
 * @param {() => Promise<void>} page.done after the sign-in
 * @param {() => void} page.out after signing out
 */
export function startSignIn({ also, done, out }) {
  forgiveOnInput([email, password])

  /** @returns {Promise<Reply>} */
  const send = async () => {
    const body = { email: valueOf(email), password: valueOf(password) }
    const reply = await request('POST', '/auth/login', { body })
    if (!reply.ok) return reply
    accessToken = textProperty(reply.data, 'accessToken')
    return also ? also(reply) : reply
  }

  const submit = async () => {
    if (busy) return
    clearProblem()
    const wrong = checkFields([email, password])
    if (wrong) return focusField(wrong)
    const reply = await sent('sign-in-submit', 'signIn.sending', send)
    if (reply.ok) {
      inputById('password').value = ''
      return done()
    }
    const key = PROBLEMS[reply.problem.code]
    if (!key) return tellProblem(reply.problem)
    showFault('password', key)
    focusField(password)
  }

  formById('sign-in-form').addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  const signOut = async () => {
    await request('POST', '/auth/logout', { accessToken, body: {} })
    accessToken = ''
    out()
  }
  for (const button of document.querySelectorAll('[data-sign-out]')) {
    button.addEventListener('click', () => void signOut())
  }
  return { submit, /** Whether the person has typed a password. */ isTyped: () => valueOf(password) !== '' }
}
