import { property, request, textProperty } from '../lib/api.js'
import { announce, byId, inputById, setBusy } from '../lib/dom.js'
import { checkFields, clearFault, faultOf, focusField, placeIssues, valueOf } from '../lib/fields.js'
import { clearText, currentLanguage, setText } from '../lib/text.js'
import { setupTokenIn } from '../lib/address.js'
import { isTouched, markTouched } from './draft.js'
import { FIELDS, isMailWanted } from './fields.js'

/** @typedef {import('../lib/text.js').TextKey} TextKey */

const PORTS = { starttls: '587', tls: '465' }

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
let testing = false

/** Starts the mail section: the port follows the encryption, and the button sends a test mail. */
export function startMail() {
  const port = inputById('mail-port')
  const encryption = byId('mail-encryption')
  port.addEventListener('input', () => markTouched(port.id))
  encryption.addEventListener('change', () => {
    if (isTouched(port.id)) return
    port.value = Reflect.get(encryption, 'value') === 'tls' ? PORTS.tls : PORTS.starttls
    clearFault(port.id)
  })
  byId('mail-test').addEventListener('click', () => void sendTest())
  if (isMailWanted()) byId('mail-fold').setAttribute('open', '')
}

/** Shows the current mail settings. The server tells them only to somebody with the setup code. */
export async function lookAtMail() {
  const token = inputById('setup-token').value
  if (token === '') return
  const reply = await request('GET', '//setup/mail', { headers: { 'X-Setup-Token': setupTokenIn(token) } })
  if (!reply.ok) return
  const server = textProperty(reply.data, 'server')
  const sender = textProperty(reply.data, 'sender')
  isFixed = property(reply.data, 'canChange') !== true
  byId('mail-fields').hidden = isFixed
  const notice = byId('mail-notice')
  notice.hidden = !isFixed && server === ''
  if (isFixed) setText(notice, server === '' ? 'mail.fixedWithout' : 'mail.fixed', { server, sender })
  else if (server !== '') setText(notice, 'mail.given', { server, sender })
}

/**
 * The mail server from the fields, as POST /setup/mail takes it; undefined: none was entered.
 * @returns {Record<string, unknown> | undefined}
 */
export function mailServer() {
  if (isFixed || !isMailWanted()) return undefined
  const typed = Object.fromEntries(fields.map((field) => [field.path[1] ?? '', valueOf(field)]))
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
  tell(reply.problem.code === 'TOKEN_INVALID' ? 'mail.test.token' : 'mail.fault.other', {})
}

/**
 * @param {unknown} answer
 * @param {string} email
 */
function tellResult(answer, email) {
  const words = textProperty(answer, 'answer')
  if (property(answer, 'sent') !== true)
    return tell(FAULTS[textProperty(answer, 'fault')] ?? 'mail.fault.other', {}, words)
  // A reply of a mail server begins with its code. Without a mail server the answer is the file of the mail.
  if (/^\d/.test(words)) tell('mail.test.sent', { email }, words)
  else tell('mail.test.kept', {}, words)
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
