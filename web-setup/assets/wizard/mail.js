import { property, request, textProperty } from '../lib/api.js'
import { announce, byId, inputById, setBusy } from '../lib/dom.js'
import { checkFields, clearFault, faultOf, focusField, placeIssues, valueOf } from '../lib/fields.js'
import { clearText, currentLanguage, setText } from '../lib/text.js'
import { setupTokenIn } from '../lib/address.js'
import { isEmail } from '../lib/rules.js'
import { isTouched, markTouched } from './draft.js'
import { FIELDS, isMailWanted } from './fields.js'

/** @typedef {import('../lib/text.js').TextKey} TextKey */

const PORTS = { starttls: '587', tls: '465' }
/** The choice of people who have a mail server of their own, or of a provider that is not listed. */
const OWN = 'own'

/** Which password a provider wants. @type {Record<string, TextKey>} */
const PASSWORDS = {
  gmail: 'mail.password.gmail',
  microsoft: 'mail.password.microsoft',
  yahoo: 'mail.password.yahoo',
  zoho: 'mail.password.zoho',
}

/** @type {Record<string, TextKey>} */
const FAULTS = {
  unknown_host: 'mail.fault.unknownHost',
  unreachable: 'mail.fault.unreachable',
  timeout: 'mail.fault.timeout',
  encryption: 'mail.fault.encryption',
  sign_in: 'mail.fault.signIn',
  refused: 'mail.fault.refused',
}

const fields = FIELDS.filter(({ path }) => path[0] === 'mail')

/** Flags or the environment configure mail, so that the wizard cannot. */
let isFixed = false
/** The server has a mail server already. */
let isGiven = false
let testing = false
/** The providers' servers, as the server lists them. @type {Map<string, { host: string, port: string, encryption: string }>} */
const servers = new Map()

/** Starts the mail step: the provider fills in its server, the port follows the encryption, and a button tries it. */
export function startMail() {
  const port = inputById('mail-port')
  const encryption = byId('mail-encryption')
  const user = inputById('mail-user')
  const sender = inputById('mail-sender')
  port.addEventListener('input', () => markTouched(port.id))
  encryption.addEventListener('change', () => {
    if (isTouched(port.id)) return
    port.value = Reflect.get(encryption, 'value') === 'tls' ? PORTS.tls : PORTS.starttls
    clearFault(port.id)
  })
  sender.addEventListener('input', () => markTouched(sender.id))
  user.addEventListener('input', () => {
    // With nearly every provider both are the same address.
    if (isTouched(sender.id) || !isEmail(user.value.trim())) return
    sender.value = user.value.trim()
    clearFault(sender.id)
  })
  byId('mail-provider').addEventListener('change', () => {
    fillIn()
    showProvider()
  })
  byId('mail-test').addEventListener('click', () => void sendTest())
  showProvider()
}

function provider() {
  return String(Reflect.get(byId('mail-provider'), 'value'))
}

/** Puts the server of the chosen provider into the fields. */
function fillIn() {
  const server = servers.get(provider())
  if (server) {
    inputById('mail-host').value = server.host
    inputById('mail-port').value = server.port
    Reflect.set(byId('mail-encryption'), 'value', server.encryption)
  } else if (provider() === OWN && [...servers.values()].some(({ host }) => host === inputById('mail-host').value)) {
    inputById('mail-host').value = ''
  }
  for (const { id } of fields) clearFault(id)
}

/** Shows the fields that the chosen provider needs, and which password it wants. */
function showProvider() {
  const chosen = provider()
  byId('mail-fields').hidden = chosen === ''
  byId('mail-later').hidden = chosen !== '' || isFixed || !byId('mail-notice').hidden
  byId('mail-server').hidden = chosen !== OWN
  byId('mail-test').hidden = chosen === '' && !isGiven
  const server = servers.get(chosen)
  byId('mail-place').hidden = !server
  if (server) setText(byId('mail-place'), 'mail.place', { server: `${server.host}:${server.port}` })
  const hint = byId('mail-password-hint')
  const password = PASSWORDS[chosen]
  hint.hidden = password === undefined
  if (password) setText(hint, password)
  else clearText(hint)
  byId('mail-test-result').replaceChildren()
}

/**
 * Shows the current mail settings, and learns the providers' servers. The server tells them only to somebody with the
 * setup code.
 * @param {string} token
 */
export async function lookAtMail(token) {
  const reply = await request('GET', '//setup/mail', { headers: { 'X-Setup-Token': token } })
  if (!reply.ok) return
  const server = textProperty(reply.data, 'server')
  const sender = textProperty(reply.data, 'sender')
  isFixed = property(reply.data, 'canChange') !== true
  isGiven = server !== ''
  byId('mail-choice').hidden = isFixed
  const notice = byId('mail-notice')
  notice.hidden = !isFixed && server === ''
  if (isFixed) setText(notice, server === '' ? 'mail.fixedWithout' : 'mail.fixed', { server, sender })
  else if (server !== '') setText(notice, 'mail.given', { server, sender })
  const providers = property(reply.data, 'providers')
  for (const one of Array.isArray(providers) ? providers : []) {
    servers.set(textProperty(one, 'id'), {
      host: textProperty(one, 'host'),
      port: String(property(one, 'port')),
      encryption: textProperty(one, 'encryption'),
    })
  }
  showProvider()
}

/**
 * The mail server from the fields, as POST /setup/mail takes it; undefined: none was entered.
 * @returns {Record<string, unknown> | undefined}
 */
export function mailServer() {
  if (isFixed || !isMailWanted()) return undefined
  const { provider: _, ...typed } = Object.fromEntries(fields.map((field) => [field.path[1] ?? '', valueOf(field)]))
  return { ...typed, port: Number(typed['port']) }
}

/** Shows in the review how mail will be sent. */
export function reviewMail() {
  const mail = mailServer()
  const place = byId('review-mail')
  if (mail) setText(place, 'review.mail.server', { server: String(mail['host']), sender: String(mail['sender']) })
  else setText(place, byId('mail-notice').hidden ? 'review.mail.none' : 'review.mail.given')
}

/** Sends a test mail to the owner's address with the settings in the fields. */
async function sendTest() {
  if (testing) return
  const result = byId('mail-test-result')
  const email = inputById('owner-email').value.trim()
  const wrong = isFixed ? null : checkFields(fields)
  if (wrong) return focusField(wrong)
  const name = FIELDS.find(({ id }) => id === 'institute-name')
  const institute = name && !faultOf(name) ? valueOf(name) : undefined
  testing = true
  const button = byId('mail-test')
  setBusy(button, true)
  setText(button, 'mail.test.sending')
  result.replaceChildren()
  const setupToken = setupTokenIn(inputById('setup-token').value) || '-'
  const body = { setupToken, mail: mailServer(), to: email, locale: currentLanguage(), institute }
  const reply = await request('POST', '//setup/mail/test', { body })
  testing = false
  setBusy(button, false)
  setText(button, 'mail.test')
  if (reply.ok) return tellResult(reply.data, email)
  const { first } = placeIssues(fields, reply.problem.issues)
  if (first) return focusField(first)
  tell(reply.problem.code === 'TOKEN_INVALID' ? 'token.wrong' : 'mail.fault.other', {})
}

/**
 * @param {unknown} answer
 * @param {string} email
 */
function tellResult(answer, email) {
  const words = textProperty(answer, 'answer')
  if (property(answer, 'sent') !== true)
    return tell(FAULTS[textProperty(answer, 'fault')] ?? 'mail.fault.other', {}, words)
  const isUnused = property(answer, 'passwordUnused') === true
  tell(isUnused ? 'mail.test.unused' : 'mail.test.sent', { email }, words)
}

/**
 * @param {TextKey} key
 * @param {import('../lib/text.js').Values} values
 * @param {string} [words] the mail server's own
 */
function tell(key, values, words = '') {
  const said = document.createElement('p')
  clearText(said)
  setText(said, key, values)
  const own = document.createElement('code')
  own.id = 'mail-test-answer'
  own.dir = 'ltr'
  own.textContent = words
  byId('mail-test-result').replaceChildren(said, ...(words === '' ? [] : [own]))
  announce(`${said.textContent ?? ''} ${words}`)
}
