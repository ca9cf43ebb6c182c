import { announce, byId, formById, setBusy, showScreen } from './dom.js'
import { clearProblem, tellProblem } from './problem.js'
import { isLanguage, onLanguageChange, preferredLanguage, setLanguage, setText, t } from './text.js'

/** @typedef {import('./text.js').TextKey} TextKey */

/**
 * Sets the page's language (`?lang=`, else the browser's) and wires the language switch, which stores the choice in the
 * address.
 * @param {() => (TextKey | null)[]} titleOf the parts of the document's title, called at every change of language
 * @returns {{ retitle: () => void, choose: (language: import('./text.js').Language) => void }}
 */
export function startLanguage(titleOf) {
  const retitle = () => {
    document.title = [...titleOf().map((key) => key && t(key)), 'Institute'].filter(Boolean).join(' · ')
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
 * @param {string | null} value null removes it
 */
function setQuery(name, value) {
  const url = new URL(location.href)
  if (value === null) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  history.replaceState(history.state, '', url)
}

/**
 * The text of a section's heading, for the document's title.
 * @param {HTMLElement} section
 */
export function headingOf(section) {
  return /** @type {TextKey | null} */ (section.querySelector('h1')?.getAttribute('data-t') ?? null)
}

/**
 * Runs a page that a mail links to: reads the token from the address, sends one form when the person submits it (never
 * by itself, because mail scanners open links), and ends on #done or #invalid.
 * @param {object} page
 * @param {TextKey} page.submit
 * @param {TextKey} page.sending
 * @param {(token: string) => Promise<import('./api.js').Reply> | null} page.send null while the form has faults
 * @param {(problem: import('./api.js').Problem) => 'invalid' | 'shown' | 'other'} page.read
 */
export function startLinkPage({ submit, sending, send, read }) {
  let screen = 'ask'
  const { retitle } = startLanguage(() => [headingOf(byId(screen))])
  const token = new URLSearchParams(location.search).get('token') ?? ''
  const button = byId('submit')
  let busy = false

  /** @param {'done' | 'invalid' | 'incomplete'} last */
  const end = (last) => {
    screen = last
    showScreen(screen)
    retitle()
  }

  const submitForm = async () => {
    if (busy) return
    clearProblem()
    const answer = send(token)
    if (!answer) return
    busy = true
    setBusy(button, true)
    setText(button, sending)
    announce(t(sending))
    const reply = await answer
    announce('')
    busy = false
    setBusy(button, false)
    setText(button, submit)
    if (reply.ok) {
      // The token is used up: remove it from the address and the history.
      setQuery('token', null)
      return end('done')
    }
    const verdict = read(reply.problem)
    if (verdict === 'invalid') end('invalid')
    else if (verdict === 'other') tellProblem(reply.problem)
  }

  formById('form').addEventListener('submit', (event) => {
    event.preventDefault()
    void submitForm()
  })
  byId('retry').addEventListener('click', () => void submitForm())
  if (token === '') end('incomplete')
  else showScreen(screen, { focus: false })
}
