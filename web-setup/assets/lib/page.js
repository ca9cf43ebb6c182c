import { property, request, textProperty } from './api.js'
import { announce, byId, formById, setBusy, showScreen } from './dom.js'
import { clearProblem, tellProblem } from './problem.js'
import { watchTrouble } from './trouble.js'
import { isLanguage, onLanguageChange, preferredLanguage, setLanguage, setText, t } from './text.js'

/** @typedef {import('./text.js').TextKey} TextKey */
/**
 * The server's facts about a link with a valid token; '' for a fact that there is none of.
 * @typedef {object} LinkFacts
 * @property {string} institute
 * @property {string} inviter
 * @property {string} email
 * @property {{ fullName: boolean, password: boolean }} needs what accepting an invitation asks for
 * @property {string} signInUrl
 */

/** The title and brand of pages that belong to no institute. */
const PROGRAM = 'Institute'
let owner = PROGRAM

/**
 * Sets the page's language (`?lang=`, else the browser's) and wires the language switch, which stores the choice in the
 * address.
 * @param {() => (TextKey | null)[]} titleOf the parts of the document's title, called at every change of language
 * @returns {{ retitle: () => void, choose: (language: import('./text.js').Language) => void }}
 */
export function startLanguage(titleOf) {
  watchTrouble()
  const retitle = () => {
    document.title = [...titleOf().map((key) => key && t(key)), owner].filter(Boolean).join(' · ')
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
 * The facts in a reply of /links/<page>.
 * @param {unknown} answer
 * @returns {LinkFacts}
 */
function factsIn(answer) {
  const needs = property(answer, 'needs')
  return {
    institute: textProperty(answer, 'institute'),
    inviter: textProperty(answer, 'inviter'),
    email: textProperty(answer, 'email'),
    needs: { fullName: property(needs, 'fullName') === true, password: property(needs, 'password') === true },
    signInUrl: textProperty(answer, 'signInUrl') || '/',
  }
}

/** @param {LinkFacts} facts */
function tellFacts({ institute, inviter, email, signInUrl }) {
  if (institute !== '') {
    owner = institute
    const brand = byId('brand')
    brand.textContent = institute
    brand.removeAttribute('lang')
  }
  const about = byId('about')
  setText(about, institute === '' || inviter !== '' ? 'page.about' : 'page.aboutAt', { email, institute })
  about.hidden = false
  byId('sign-in').setAttribute('href', signInUrl)
}

/**
 * Runs a page that a mail links to: reads the token from the address, asks the server what it is for, sends one form when
 * the person submits it (never by itself, because mail scanners open links), and ends on #done or #invalid.
 * @param {object} page
 * @param {'invitation' | 'reset-password' | 'verify-email'} page.name
 * @param {(facts: LinkFacts) => void} [page.tell] shows what the link is for, beside what every page shows
 * @param {TextKey} page.submit
 * @param {TextKey} page.sending
 * @param {(token: string) => Promise<import('./api.js').Reply> | null} page.send null while the form has faults
 * @param {(problem: import('./api.js').Problem) => 'invalid' | 'shown' | 'other'} page.read
 */
export function startLinkPage({ name, tell, submit, sending, send, read }) {
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

  const begin = async () => {
    if (token === '') return end('incomplete')
    const reply = await request('GET', `//links/${name}`, { headers: { 'X-Link-Token': token } })
    if (reply.ok) {
      const facts = factsIn(reply.data)
      tellFacts(facts)
      tell?.(facts)
      // The page is in the language of the mail, unless the person chose another one here.
      const locale = textProperty(reply.data, 'locale')
      if (isLanguage(locale) && !new URLSearchParams(location.search).has('lang')) setLanguage(locale)
    } else if (reply.problem.code === 'TOKEN_INVALID') return end('invalid')
    // After any other failure the form works without these facts.
    showScreen(screen, { focus: false })
    retitle()
  }
  void begin()
}
