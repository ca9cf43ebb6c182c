import { byId } from '../lib/dom.js'
import { FIELDS } from './fields.js'

/**
 * The form's values, in the tab's session storage, so that they survive a reload. It holds no password. It does hold
 * the setup token, because the wizard removed that from the address bar. After success only `done` remains.
 * @typedef {{ values?: Record<string, string>, touched?: string[], done?: { baseUrl: string } }} Draft
 */

const NAME = 'institute-setup'

/** @returns {Draft} */
export function readDraft() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? '{}')
  } catch {
    return {}
  }
}

/** @param {Draft} draft */
export function writeDraft(draft) {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(draft))
  } catch {
    // The browser has no storage: the form still holds everything until a reload.
  }
}

export function saveFields() {
  const kept = FIELDS.filter((field) => field.kept !== false).map(({ id }) => id)
  writeDraft({
    values: Object.fromEntries(kept.map((id) => [id, byId(id).dataset['value'] ?? Reflect.get(byId(id), 'value')])),
    touched: kept.filter((id) => isTouched(id)),
  })
}

/** @param {Draft} draft */
export function restoreFields({ values = {}, touched = [] }) {
  for (const { id } of FIELDS) {
    const value = values[id]
    if (value) Reflect.set(byId(id), 'value', value)
    if (touched.includes(id)) markTouched(id)
  }
}

/**
 * Whether a person has set this field; then no suggestion may change it.
 * @param {string} id
 */
export function isTouched(id) {
  return byId(id).dataset['touched'] === 'yes'
}

/** @param {string} id */
export function markTouched(id) {
  byId(id).dataset['touched'] = 'yes'
}
