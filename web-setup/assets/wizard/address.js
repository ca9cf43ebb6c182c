import { cautionAbout, rootAddress, setupTokenIn } from '../lib/address.js'
import { announce, byId, inputById } from '../lib/dom.js'
import { clearFault } from '../lib/fields.js'
import { clearText, setText, t } from '../lib/text.js'

/** @type {Record<'loopback' | 'plain-http', import('../lib/text.js').TextKey>} */
const CAUTIONS = { loopback: 'address.loopback', 'plain-http': 'address.plainHttp' }

/**
 * Wires the address step and the field for the setup token: suggests an address, tidies what is typed, and warns about
 * addresses that would not work.
 */
export function startAddressStep() {
  const input = inputById('base-url')
  const notice = byId('base-url-caution')
  /** @type {ReturnType<typeof cautionAbout>} */
  let shown = null
  const caution = () => {
    const root = rootAddress(input.value)
    const found = root ? cautionAbout(root) : null
    if (found === shown) return
    shown = found
    notice.hidden = found === null
    // Empty it as well: a hidden element's text still describes the field to screen readers.
    if (found) setText(notice, CAUTIONS[found])
    else clearText(notice)
  }
  input.addEventListener('input', () => {
    const before = shown
    caution()
    if (shown && shown !== before) announce(t(CAUTIONS[shown]))
  })
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
 * Moves the setup token from the address (`/setup/#token=…`), where others could see it and the history would keep it,
 * into its field. The field is visible only when the address had no token.
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
