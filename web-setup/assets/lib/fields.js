import { announce, byId } from './dom.js'
import { clearText, keyOf, setText } from './text.js'

/** @typedef {import('./text.js').TextKey} TextKey */
/**
 * A field of a form. `path` is its place in the request's body; `missing` the message for an empty field (optional
 * fields have none); `wrong` the message for a value that `accepts` refuses.
 * @typedef {object} Field
 * @property {string} id
 * @property {string[]} path
 * @property {TextKey | undefined} [missing]
 * @property {TextKey} wrong
 * @property {(value: string) => boolean} accepts
 * @property {(value: string) => TextKey | null} [fault] in place of `wrong` and `accepts`, where there are several messages
 * @property {boolean} [verbatim] keep the spaces at its ends
 */

/**
 * Returns the input of a field; its error message is in #<id>-error.
 * @param {string} id
 * @returns {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement}
 */
function control(id) {
  const element = byId(id)
  const kinds = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement]
  for (const kind of kinds) if (element instanceof kind) return element
  throw new Error(`#${id} is no field`)
}

/** @param {Field} field */
export function valueOf(field) {
  const element = control(field.id)
  // A combobox shows the name of its value, and has the value itself in data-value.
  const value = element.dataset['value'] ?? element.value
  return field.verbatim ? value : value.trim()
}

/**
 * @param {Field} field
 * @returns {TextKey | null}
 */
export function faultOf(field) {
  const value = valueOf(field)
  if (value === '') return field.missing ?? null
  if (field.fault) return field.fault(value)
  return field.accepts(value) ? null : field.wrong
}

/**
 * Checks the fields, shows each fault at its field, and returns the first wrong one.
 * @param {readonly Field[]} fields
 * @returns {Field | null}
 */
export function checkFields(fields) {
  let first = null
  for (const field of fields) {
    const fault = faultOf(field)
    if (fault) {
      showFault(field.id, fault)
      first ??= field
    } else clearFault(field.id)
  }
  return first
}

/**
 * Puts the issues of a 422 at their fields.
 * @param {readonly Field[]} fields
 * @param {readonly import('./api.js').Issue[]} issues
 * @returns {{ first: Field | null, unplaced: boolean }} the first field that was refused; whether an issue found no field
 */
export function placeIssues(fields, issues) {
  /** @param {Field} field */
  const issueOf = (field) => issues.find((issue) => field.path.every((name, index) => issue.path[index] === name))
  const refused = fields.filter(issueOf)
  for (const field of refused) showFault(field.id, faultOf(field) ?? keyOf(issueOf(field)?.message) ?? 'field.refused')
  const placed = issues.filter((issue) =>
    refused.some((field) => field.path.every((name, index) => issue.path[index] === name)),
  )
  return { first: refused[0] ?? null, unplaced: placed.length < issues.length || issues.length === 0 }
}

/**
 * @param {string} id
 * @param {TextKey} key
 */
export function showFault(id, key) {
  control(id).setAttribute('aria-invalid', 'true')
  const error = byId(`${id}-error`)
  setText(error, key)
  error.hidden = false
}

/** @param {string} id */
export function clearFault(id) {
  control(id).removeAttribute('aria-invalid')
  const error = byId(`${id}-error`)
  clearText(error)
  error.hidden = true
}

/**
 * Focuses a wrong field and announces every visible fault: a screen reader says at most the fault of the field that
 * gets the focus, and nothing when it already has it.
 * @param {Field} field
 */
export function focusField(field) {
  const element = control(field.id)
  element.closest('details')?.setAttribute('open', '')
  element.focus()
  element.scrollIntoView({ block: 'center' })
  const shown = [...document.querySelectorAll('.error')].filter((error) => error.closest('[hidden]') === null)
  announce(shown.map((error) => error.textContent).join(' '))
}

/**
 * Clears a fault as soon as the person changes its field.
 * @param {readonly Field[]} fields
 */
export function forgiveOnInput(fields) {
  for (const { id } of fields) control(id).addEventListener('input', () => clearFault(id))
}
