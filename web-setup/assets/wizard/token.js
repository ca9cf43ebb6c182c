import { setupTokenIn } from '../lib/address.js'
import { property, request } from '../lib/api.js'
import { announce, byId, inputById, setBusy } from '../lib/dom.js'
import { clearFault, showFault } from '../lib/fields.js'
import { setText, t } from '../lib/text.js'
import { offerAddresses } from './address.js'
import { lookAtMail } from './mail.js'

/** @typedef {import('../lib/api.js').Problem} Problem */

/** The token that the server has accepted on this page. */
let accepted = ''

/** Tidies what is pasted into the field. */
export function startToken() {
  const input = inputById('setup-token')
  input.addEventListener('change', () => {
    input.value = setupTokenIn(input.value)
  })
}

/**
 * Moves the setup token from the address (`/setup/#token=…`), where others could see it and the history would keep it,
 * into its field. The field is visible only when the address had no token, or a wrong one.
 */
export function takeSetupToken() {
  const input = inputById('setup-token')
  const given = location.hash.includes('token=') ? setupTokenIn(location.hash) : ''
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
  if (given !== '') input.value = given
  askForSetupToken(input.value === '')
}

/** @param {boolean} ask */
export function askForSetupToken(ask) {
  byId('setup-token-field').hidden = !ask
}

/** The server does not accept the token. */
export function refuseSetupToken() {
  accepted = ''
  askForSetupToken(true)
  showFault('setup-token', 'token.wrong')
}

/**
 * Asks the server whether the token is right, unless it has said so already. A right one brings what only its holder is
 * told: the addresses of the server, and how mail goes out.
 * @returns {Promise<'right' | 'wrong' | Problem>} 'wrong': the field says so
 */
export async function checkSetupToken() {
  const token = setupTokenIn(inputById('setup-token').value)
  if (token !== '' && token === accepted) return 'right'
  const button = byId('next')
  setBusy(button, true)
  setText(button, 'token.checking')
  announce(t('token.checking'))
  const reply = await request('GET', '//setup/check', { headers: { 'X-Setup-Token': token } })
  setBusy(button, false)
  setText(button, 'setup.next')
  announce('')
  if (!reply.ok) {
    if (reply.problem.code !== 'TOKEN_INVALID') return reply.problem
    refuseSetupToken()
    return 'wrong'
  }
  accepted = token
  clearFault('setup-token')
  const addresses = property(reply.data, 'addresses')
  offerAddresses(Array.isArray(addresses) ? addresses.map(String) : [])
  await lookAtMail(token)
  return 'right'
}
