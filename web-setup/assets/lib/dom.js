import { tellStarted } from './trouble.js'

/**
 * Returns an element that the page's HTML must contain.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id)
  if (!element) throw new Error(`no element #${id}`)
  return element
}

/**
 * @param {string} id
 * @returns {HTMLInputElement}
 */
export function inputById(id) {
  const element = byId(id)
  if (!(element instanceof HTMLInputElement)) throw new Error(`#${id} is no input`)
  return element
}

/**
 * @param {string} id
 * @returns {HTMLFormElement}
 */
export function formById(id) {
  const element = byId(id)
  if (!(element instanceof HTMLFormElement)) throw new Error(`#${id} is no form`)
  return element
}

/**
 * Shows one of the page's screens; with `focus`, moves the focus to its heading.
 * @param {string} id
 * @param {{ focus?: boolean }} [options]
 */
export function showScreen(id, { focus = true } = {}) {
  for (const screen of document.querySelectorAll('[data-screen]')) {
    if (screen instanceof HTMLElement) screen.hidden = screen.id !== id
  }
  document.documentElement.dataset['shown'] = id
  tellStarted()
  if (focus) focusHeading(byId(id))
}

/** @param {HTMLElement} section */
export function focusHeading(section) {
  const heading = section.querySelector('h1, h2')
  if (heading instanceof HTMLElement) heading.focus({ preventScroll: true })
  window.scrollTo({ top: 0 })
}

/** Screen readers miss a text that replaces another one at once. */
const ANNOUNCE_AFTER_MS = 100
let announcing = 0

/**
 * Makes screen readers say a text without moving the focus. They also say it when it is the same text as before.
 * @param {string} text
 */
export function announce(text) {
  window.clearTimeout(announcing)
  const live = byId('live')
  live.textContent = ''
  if (text !== '') announcing = window.setTimeout(() => (live.textContent = text), ANNOUNCE_AFTER_MS)
}

/**
 * Marks a button as busy. It stays focusable, so that keyboard users keep their place.
 * @param {HTMLElement} button
 * @param {boolean} busy
 */
export function setBusy(button, busy) {
  button.setAttribute('aria-disabled', String(busy))
  button.classList.toggle('busy', busy)
}
