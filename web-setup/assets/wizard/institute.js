import { combobox } from '../lib/combobox.js'
import { announce, byId, inputById } from '../lib/dom.js'
import { clearFault } from '../lib/fields.js'
import { slugFor } from '../lib/slug.js'
import { clearText, currentLanguage, intlLocale, onLanguageChange, setText } from '../lib/text.js'
import { browserZone, currencyFor, timeIn, zoneChoices } from '../lib/zones.js'
import { isTouched, markTouched, saveFields } from './draft.js'

/**
 * Wires the institute step: suggests a short name from the name, and language, zone and currency from the browser,
 * until the person sets them.
 */
export function startInstituteStep() {
  const name = inputById('institute-name')
  const slug = inputById('institute-slug')
  const zone = inputById('institute-timezone')

  name.addEventListener('input', () => {
    if (isTouched(slug.id)) return
    slug.value = slugFor(name.value)
    clearFault(slug.id)
  })
  slug.addEventListener('input', () => {
    // When the short name is emptied, it follows the name again.
    if (slug.value === '') delete slug.dataset['touched']
    else markTouched(slug.id)
  })
  slug.addEventListener('change', () => {
    slug.value = slug.value.trim().toLowerCase()
  })

  const picker = combobox(
    zone.id,
    () => zoneChoices(currentLanguage()),
    (value) => {
      markTouched(zone.id)
      clearFault(zone.id)
      tellTime()
      announce(byId('institute-timezone-now').textContent ?? '')
      suggestCurrency(value)
      saveFields()
    },
  )
  const tellTime = () => {
    const now = byId('institute-timezone-now')
    const value = picker.value()
    if (value !== '') setText(now, 'institute.timezone.now', { time: () => timeIn(value, intlLocale()) })
    else clearText(now)
  }
  zone.addEventListener('blur', tellTime)

  for (const id of ['institute-locale', 'institute-currency']) byId(id).addEventListener('input', () => markTouched(id))

  picker.set(zone.value || browserZone())
  suggestCurrency(picker.value())
  tellTime()
  onLanguageChange(() => {
    picker.reload()
    suggestLocale()
  })
  suggestLocale()
}

/** @param {string} zone */
function suggestCurrency(zone) {
  if (!isTouched('institute-currency')) Reflect.set(byId('institute-currency'), 'value', currencyFor(zone))
}

function suggestLocale() {
  if (!isTouched('institute-locale')) Reflect.set(byId('institute-locale'), 'value', currentLanguage())
}
