import ar from '../i18n/ar.js'
import en from '../i18n/en.js'
import he from '../i18n/he.js'

/** @typedef {'ar' | 'he' | 'en'} Language */
/** @typedef {keyof typeof en} TextKey */
/**
 * The values of a text's {names}. A function is called again whenever the language changes.
 * @typedef {Record<string, string | number | (() => string)>} Values
 */

/** @type {Record<Language, Record<TextKey, string>>} */
const catalogues = { ar, he, en }

/** @type {Language} */
let language = 'en'

/** @type {(() => void)[]} */
const listeners = []

/** @type {WeakMap<Element, Values>} */
const valuesOf = new WeakMap()

/**
 * @param {string | null | undefined} text
 * @returns {text is Language}
 */
export function isLanguage(text) {
  return text === 'ar' || text === 'he' || text === 'en'
}

/**
 * Finds the text that says in English what the server said.
 * @param {string | undefined} message
 */
export function keyOf(message) {
  const keys = /** @type {TextKey[]} */ (Object.keys(en))
  return keys.find((key) => en[key] === message)
}

export function currentLanguage() {
  return language
}

/** The locale for Intl: dates as in mails. Arabic has the digits and the names of months that schools of the region write. */
export function intlLocale() {
  return { ar: 'ar-PS-u-nu-latn', he: 'he', en: 'en-GB' }[language]
}

/**
 * The first of the person's languages that the page has, else English.
 * @param {string | null} asked the value of `?lang=`
 * @param {readonly string[]} offered the browser's languages, best first
 * @returns {Language}
 */
export function preferredLanguage(asked, offered) {
  for (const tag of [asked ?? '', ...offered]) {
    const primary = tag.toLowerCase().split('-')[0] ?? ''
    // The code for Hebrew was `iw` until 1989, and some systems still use it.
    const known = primary === 'iw' ? 'he' : primary
    if (isLanguage(known)) return known
  }
  return 'en'
}

/** @param {Language} next */
export function setLanguage(next) {
  language = next
  document.documentElement.lang = next
  document.documentElement.dir = next === 'en' ? 'ltr' : 'rtl'
  for (const element of document.querySelectorAll('[data-t], [data-t-label]')) render(element)
  for (const button of document.querySelectorAll('[data-language]')) {
    button.setAttribute('aria-pressed', String(button.getAttribute('data-language') === next))
  }
  for (const listener of listeners) listener()
}

/** @param {() => void} listener called after every change of language */
export function onLanguageChange(listener) {
  listeners.push(listener)
}

/**
 * Returns a text as a plain string, for places without markup.
 * @param {TextKey} key
 * @param {Values} [values]
 */
export function t(key, values = {}) {
  return insert(catalogues[language][key].replaceAll('`', ''), values)
}

/**
 * Sets the text of an element, and translates it again whenever the language changes.
 * @param {Element} element
 * @param {TextKey} key
 * @param {Values} [values]
 */
export function setText(element, key, values = {}) {
  element.setAttribute('data-t', key)
  valuesOf.set(element, values)
  render(element)
}

/**
 * @param {Element} element
 * @param {TextKey} key
 */
export function setLabel(element, key) {
  element.setAttribute('data-t-label', key)
  render(element)
}

/** @param {Element} element */
export function clearText(element) {
  element.removeAttribute('data-t')
  element.textContent = ''
}

/** @param {Element} element */
function render(element) {
  const key = /** @type {TextKey | null} */ (element.getAttribute('data-t'))
  const label = /** @type {TextKey | null} */ (element.getAttribute('data-t-label'))
  if (key) element.replaceChildren(...pieces(catalogues[language][key], valuesOf.get(element) ?? {}))
  if (label) element.setAttribute('aria-label', t(label))
}

/**
 * Splits a text into nodes. Code is left to right in every language, and keeps a bracket before it and the full stop after it on its line. A
 * value is isolated, so that its direction does not affect the text around it.
 * @param {string} text
 * @param {Values} values
 * @returns {(Node | string)[]}
 */
function pieces(text, values) {
  return text
    .split(/((?:(?<=^|\s)[^\s`{}])?`[^`]+`[^\s`]*|\{\w+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (piece.includes('`')) {
        const [before = '', inside = '', after = ''] = piece.split('`')
        const code = document.createElement('code')
        code.dir = 'ltr'
        code.textContent = inside
        const kept = document.createElement('span')
        kept.className = 'code'
        kept.append(before, code, after)
        return kept
      }
      if (piece.startsWith('{')) {
        const value = document.createElement('bdi')
        value.textContent = insert(piece, values)
        return value
      }
      return piece
    })
}

/**
 * @param {string} text
 * @param {Values} values
 */
function insert(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name]
    return String(typeof value === 'function' ? value() : (value ?? whole))
  })
}
