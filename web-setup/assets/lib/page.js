import { watchTrouble } from './trouble.js'
import { isLanguage, onLanguageChange, preferredLanguage, setLanguage, t } from './text.js'

/** @typedef {import('./text.js').TextKey} TextKey */

/** The title of pages that belong to no institute. */
const PROGRAM = 'Institute'

/**
 * Sets the page's language (`?lang=`, else the browser's) and wires the language switch, which stores the choice in the
 * address.
 * @param {() => (TextKey | null)[]} titleOf the parts of the document's title, called at every change of language
 * @returns {{ retitle: () => void, choose: (language: import('./text.js').Language) => void }}
 */
export function startLanguage(titleOf) {
  watchTrouble()
  const retitle = () => {
    document.title = [...titleOf().map((key) => key && t(key)), PROGRAM].filter(Boolean).join(' · ')
  }
  /** @param {import('./text.js').Language} language */
  const choose = (language) => {
    setQuery('lang', language)
    setLanguage(language)
  }
  onLanguageChange(retitle)
  for (const button of document.querySelectorAll('button[data-language]')) {
    const language = button.getAttribute('data-language')
    if (isLanguage(language)) button.addEventListener('click', () => choose(language))
  }
  setLanguage(preferredLanguage(new URLSearchParams(location.search).get('lang'), navigator.languages))
  return { retitle, choose }
}

/**
 * @param {string} name
 * @param {string} value
 */
function setQuery(name, value) {
  const url = new URL(location.href)
  url.searchParams.set(name, value)
  history.replaceState(history.state, '', url)
}

/**
 * The text of a section's heading, for the document's title.
 * @param {HTMLElement} section
 */
export function headingOf(section) {
  return /** @type {TextKey | null} */ (section.querySelector('h1')?.getAttribute('data-t') ?? null)
}
