import { rootAddress } from '../lib/address.js'
import { byId } from '../lib/dom.js'
import { valueOf } from '../lib/fields.js'
import { currentLanguage } from '../lib/text.js'
import { cityOf } from '../lib/zones.js'
import { FIELDS } from './fields.js'
import { reviewMail } from './mail.js'

/** Fills in the review: every [data-review="<id> <id>…"] gets the values of those fields. */
export function fillReview() {
  for (const place of document.querySelectorAll('[data-review]')) {
    const ids = (place.getAttribute('data-review') ?? '').split(' ')
    place.textContent = ids.map(shownValue).join(' ')
  }
  reviewMail()
}

/** @param {string} id */
function shownValue(id) {
  const control = byId(id)
  if (control instanceof HTMLSelectElement) return control.selectedOptions[0]?.textContent ?? ''
  const field = FIELDS.find((one) => one.id === id)
  const value = field ? valueOf(field) : ''
  if (id === 'institute-timezone') return cityOf(value, currentLanguage())
  return id === 'base-url' ? (rootAddress(value) ?? value) : value
}
