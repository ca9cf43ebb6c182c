import { cautionAbout, rootAddress, setupTokenIn } from '../lib/address.js'
import { byId, inputById } from '../lib/dom.js'
import { clearFault } from '../lib/fields.js'

/** Wires the address step and the setup code's field: offers, tidies what is typed, and warns of what would not work. */
export function startAddressStep() {
  const input = inputById('base-url')
  const caution = () => {
    const root = rootAddress(input.value)
    const found = root ? cautionAbout(root) : null
    byId('base-url-loopback').hidden = found !== 'loopback'
    byId('base-url-plain-http').hidden = found !== 'plain-http'
  }
  input.addEventListener('input', caution)
  input.addEventListener('change', () => {
    const root = rootAddress(input.value)
    if (!root) return
    input.value = root
    clearFault(input.id)
  })
  if (input.value === '') input.value = location.origin
  caution()

  const token = inputById('setup-token')
  token.addEventListener('change', () => {
    token.value = setupTokenIn(token.value)
  })
}

/**
 * Takes the setup token out of the address (`/setup/#token=…`), where it would be seen and kept in the history, into its
 * field. Asks for it only when there was none.
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
  byId('token-notice').hidden = !ask
}
