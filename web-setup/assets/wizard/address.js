import { cautionAbout, rootAddress } from '../lib/address.js'
import { announce, byId, inputById } from '../lib/dom.js'
import { clearFault } from '../lib/fields.js'
import { clearText, setText, t } from '../lib/text.js'
import { isTouched, markTouched } from './draft.js'

/** @type {Record<'loopback' | 'plain-http', import('../lib/text.js').TextKey>} */
const CAUTIONS = { loopback: 'address.loopback', 'plain-http': 'address.plainHttp' }

/**
 * Wires the address step: suggests an address, tidies what is typed, and warns about
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
    caution()
    const root = rootAddress(input.value)
    if (!root) return
    input.value = root
    clearFault(input.id)
    markOffered()
  })
  input.addEventListener('input', markOffered)
  input.addEventListener('input', () => markTouched(input.id))
  if (input.value === '') input.value = location.origin
  caution()
}

/**
 * Offers the addresses that the server has in its network, and suggests the first where the page was opened on the server
 * itself, by an address that opens nowhere else.
 * @param {readonly string[]} addresses
 */
export function offerAddresses(addresses) {
  const input = inputById('base-url')
  byId('base-url-offers').hidden = addresses.length === 0
  byId('base-url-offered').replaceChildren(
    ...addresses.map((address) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.dir = 'ltr'
      button.textContent = address
      button.addEventListener('click', () => {
        input.value = address
        input.dispatchEvent(new Event('input', { bubbles: true }))
        announce(address)
      })
      return button
    }),
  )
  const [first] = addresses
  const root = rootAddress(input.value)
  if (first && root && !isTouched(input.id) && cautionAbout(root) === 'loopback') {
    input.value = first
    setText(byId('base-url-hint'), 'address.url.hintNetwork')
  }
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Shows which of the offered addresses is in the field. */
function markOffered() {
  const value = inputById('base-url').value
  for (const button of byId('base-url-offered').querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String(button.textContent === value))
  }
}
