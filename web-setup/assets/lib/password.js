import { announce, byId, inputById } from './dom.js'
import { clearText, setLabel, setText } from './text.js'

export const PASSWORD_MIN = 10
const COMFORTABLE = 16
/** The advice changes with each letter: announce it when the typing pauses. */
const PAUSE_MS = 1000

/** @typedef {import('./text.js').TextKey} TextKey */
/** @typedef {'empty' | 'short' | 'weak' | 'fair' | 'good'} Strength */
/** @typedef {(password: string, own: readonly string[]) => 'common' | 'repetitive' | 'related' | null} WeaknessOf */

/**
 * The server's own rule. Until it is loaded only the length is looked at, and the server refuses the rest.
 * @type {WeaknessOf}
 */
let weaknessOf = () => null

/** A bundle of its own, which is read while the form is filled in. */
const WEAK_PASSWORDS = '/setup/assets/lib/weak-passwords.js'

const load = async () => {
  const rules = /** @type {{ weaknessOf: WeaknessOf }} */ (await import(WEAK_PASSWORDS))
  weaknessOf = rules.weaknessOf
}

/** @type {Record<NonNullable<ReturnType<WeaknessOf>>, TextKey>} */
const WEAK = { common: 'password.common', repetitive: 'password.repetitive', related: 'password.related' }

/** @type {Map<string, () => readonly string[]>} */
const ownWords = new Map()

/**
 * Rates a password as the server does; what is `short` or `weak` is refused.
 * @param {string} password
 * @param {readonly string[]} own the other values of the form: names, the email
 * @param {WeaknessOf} look
 * @returns {{ strength: Strength, key: TextKey | null }}
 */
export function adviseOn(password, own, look = weaknessOf) {
  if (password === '') return { strength: 'empty', key: null }
  if (password.length < PASSWORD_MIN) return { strength: 'short', key: 'password.short' }
  const weakness = look(password, own)
  if (weakness) return { strength: 'weak', key: WEAK[weakness] }
  return password.length < COMFORTABLE
    ? { strength: 'fair', key: 'password.fair' }
    : { strength: 'good', key: 'password.good' }
}

/**
 * What is wrong with the password of a field that `wirePassword` has wired.
 * @param {string} id
 * @returns {(password: string) => TextKey | null}
 */
export const faultOfPassword = (id) => (password) => {
  const { strength, key } = adviseOn(password, ownWords.get(id)?.() ?? [])
  if (strength === 'short') return 'owner.password.wrong'
  return strength === 'weak' ? key : null
}

/**
 * Wires a password field #<id> with its button #<id>-toggle and its advice in #<id>-strength.
 * @param {string} id
 * @param {() => readonly string[]} own the other values of the form
 */
export function wirePassword(id, own) {
  ownWords.set(id, own)
  const input = inputById(id)
  const toggle = byId(`${id}-toggle`)
  const strength = byId(`${id}-strength`)
  const update = () => {
    const advice = adviseOn(input.value, own())
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
  // A server that does not answer says so when the form is sent.
  load().then(update, () => {})
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
