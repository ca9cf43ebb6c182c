import { announce, byId, inputById } from './dom.js'
import { clearText, setLabel, setText } from './text.js'

export const PASSWORD_MIN = 10
const COMFORTABLE = 16
const RELATED_MIN = 4
/** The advice changes with each letter: announce it when the typing pauses. */
const PAUSE_MS = 1000

/** @typedef {'empty' | 'short' | 'weak' | 'fair' | 'good'} Strength */

/**
 * Rates a password: length first, then the two patterns that make a long password easy to guess. Only `short` is
 * refused.
 * @param {string} password
 * @param {readonly string[]} related the other values of the form: names, the email
 * @returns {{ strength: Strength, key: import('./text.js').TextKey | null }}
 */
export function adviseOn(password, related) {
  if (password === '') return { strength: 'empty', key: null }
  if (password.length < PASSWORD_MIN) return { strength: 'short', key: 'password.short' }
  if (isRepetitive(password)) return { strength: 'weak', key: 'password.repetitive' }
  const lower = password.toLowerCase()
  const words = related.flatMap((text) => text.toLowerCase().split(/[\s@.]+/))
  if (words.some((word) => word.length >= RELATED_MIN && lower.includes(word) && word.length * 2 >= lower.length)) {
    return { strength: 'weak', key: 'password.related' }
  }
  return password.length < COMFORTABLE
    ? { strength: 'fair', key: 'password.fair' }
    : { strength: 'good', key: 'password.good' }
}

/**
 * Whether it has few different characters (aaaaaaaaaa, 1212121212), or mostly steps of one (1234567890, abcdefghij).
 * @param {string} password
 */
function isRepetitive(password) {
  const codes = Array.from(password, (character) => character.codePointAt(0) ?? 0)
  if (new Set(codes).size <= 4) return true
  const steps = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) === 1).length
  return steps >= (codes.length - 1) * 0.7
}

/**
 * Wires a password field #<id> with its button #<id>-toggle and its advice in #<id>-strength.
 * @param {string} id
 * @param {() => readonly string[]} related
 */
export function wirePassword(id, related) {
  const input = inputById(id)
  const toggle = byId(`${id}-toggle`)
  const strength = byId(`${id}-strength`)
  const update = () => {
    const advice = adviseOn(input.value, related())
    strength.dataset['strength'] = advice.strength
    if (advice.key) setText(strength, advice.key, { length: input.value.length })
    else clearText(strength)
  }
  let pause = 0
  const hush = () => window.clearTimeout(pause)
  input.addEventListener('input', () => {
    update()
    hush()
    pause = window.setTimeout(() => {
      // A visible error has already been announced, and matters more.
      if (byId(`${id}-error`).hidden) announce(strength.textContent ?? '')
    }, PAUSE_MS)
  })
  input.addEventListener('blur', hush)
  toggle.addEventListener('click', () => {
    const show = input.type === 'password'
    input.type = show ? 'text' : 'password'
    setText(toggle, show ? 'password.hide' : 'password.show')
    setLabel(toggle, show ? 'password.hideLabel' : 'password.showLabel')
  })
  return { update }
}

/**
 * Hides a password before the form is sent, so that password managers recognize the field.
 * @param {string} id
 */
export function hidePassword(id) {
  if (inputById(id).type === 'text') byId(`${id}-toggle`).click()
}
