import { fold } from '../../../src/shared/text.ts'
import { announce, byId, inputById } from './dom.js'
import { t } from './text.js'

/**
 * An entry of the list. `names`: its names in the page's language, one of which the field shows once it is picked.
 * `calledToo`: its names in every language. `search`: other text that finds it. Of equally good matches the one with the
 * smallest `distance` comes first.
 * @typedef {object} Choice
 * @property {string} value
 * @property {string} label
 * @property {string[]} names
 * @property {string} detail
 * @property {string[]} calledToo
 * @property {string} search
 * @property {number} distance
 */

/**
 * A text as the institute's search compares it, with blanks for what stands between the parts of a zone's name.
 * @param {string} text
 */
export function searchable(text) {
  return fold(text.replace(/[_/,،·]+/g, ' '))
}

/**
 * Returns the choices that contain every word of the query: first those with exactly this name, then those with a name
 * that begins with it; within each, the smallest distance first.
 * @param {readonly Choice[]} choices
 * @param {string} query
 */
export function matching(choices, query) {
  const whole = searchable(query).trim()
  const words = whole.split(/\s+/)
  /** @param {Choice} choice */
  const rank = ({ calledToo, search }) => {
    const names = calledToo.map((name) => searchable(name).trim())
    const text = `${names.join(' ')} ${searchable(search)}`
    if (!words.every((word) => text.includes(word))) return null
    if (names.includes(whole)) return 0
    return names.some((name) => name.startsWith(whole)) ? 1 : 2
  }
  return choices
    .map((choice) => ({ choice, rank: rank(choice) }))
    .filter((one) => one.rank !== null)
    .sort((one, other) => Number(one.rank) - Number(other.rank) || one.choice.distance - other.choice.distance)
    .map(({ choice }) => choice)
}

/**
 * The name to show for a picked choice: the one that begins with the typed text, else its first.
 * @param {Choice} choice
 * @param {string} typed
 */
function nameMeant({ names, value }, typed) {
  const whole = searchable(typed).trim()
  return (whole !== '' && names.find((name) => searchable(name).startsWith(whole))) || (names[0] ?? value)
}

/**
 * A text field that chooses from a long list: the ARIA combobox pattern with a filtered list. The input shows the name of
 * the choice and has its value in data-value. Typed text becomes a choice when the person picks one, or leaves the field
 * and only one choice matches.
 * @param {string} id the input; its list is #<id>-list
 * @param {() => Choice[]} load called when the list is first needed, and again after reload()
 * @param {(value: string) => void} onPick called also when the same choice is picked again
 */
export function combobox(id, load, onPick) {
  const input = inputById(id)
  const list = byId(`${id}-list`)
  /** @type {Choice[] | null} */
  let choices = null
  /** @type {Choice[]} */
  let shown = []
  let active = -1
  let chosen = ''
  /** The name that the field shows for `chosen`. */
  let shownName = ''

  const all = () => (choices ??= load())
  const isOpen = () => !list.hidden

  /** @param {string} query '' for the whole list */
  function open(query) {
    shown = query === '' ? all() : matching(all(), query)
    list.replaceChildren(...(shown.length > 0 ? shown.map(option) : [nothing()]))
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    activate(query === '' ? shown.findIndex(({ value }) => value === chosen) : 0)
    announce(shown.length > 0 ? t('institute.timezone.matches', { count: shown.length }) : t('institute.timezone.none'))
  }

  function close() {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
    active = -1
  }

  /**
   * @param {Choice} choice
   * @param {number} index
   */
  function option(choice, index) {
    const item = document.createElement('div')
    item.id = `${id}-option-${index}`
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', String(choice.value === chosen))
    // The line follows the list's direction, the name its own.
    const label = document.createElement('div')
    const name = document.createElement('bdi')
    name.textContent = choice.label
    label.append(name)
    const detail = document.createElement('span')
    detail.dir = 'ltr'
    detail.textContent = choice.detail
    item.append(label, detail)
    // Keep the focus in the input: on blur the list would close before the click arrives.
    item.addEventListener('pointerdown', (event) => event.preventDefault())
    item.addEventListener('click', () => pick(choice.value))
    return item
  }

  function nothing() {
    const item = document.createElement('div')
    item.className = 'nothing'
    item.setAttribute('role', 'option')
    item.setAttribute('aria-disabled', 'true')
    item.setAttribute('aria-selected', 'false')
    item.textContent = t('institute.timezone.none')
    return item
  }

  /** @param {number} index */
  function activate(index) {
    list.querySelector('.active')?.classList.remove('active')
    active = index >= 0 && index < shown.length ? index : -1
    const item = active >= 0 ? list.children[active] : undefined
    if (!item) return input.removeAttribute('aria-activedescendant')
    item.classList.add('active')
    item.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', item.id)
  }

  /** @param {string} value @param {string} [typed] */
  function show(value, typed = '') {
    chosen = value
    const choice = all().find((one) => one.value === value)
    shownName = choice ? nameMeant(choice, typed) : value
    input.value = shownName
    input.dataset['value'] = value
  }

  /** @param {string} value */
  function pick(value) {
    show(value, input.value === shownName ? '' : input.value)
    close()
    onPick(value)
  }

  /** When the person leaves the field: takes the choice that the text names, or the only one that matches it. */
  function settle() {
    close()
    const typed = input.value.trim()
    if (typed === shownName) {
      input.dataset['value'] = chosen
      return
    }
    if (typed === '') return
    const exact = all().find(({ calledToo }) => calledToo.some((name) => searchable(name) === searchable(typed)))
    const found = exact ? [exact] : matching(all(), typed)
    const only = found.length === 1 ? found[0] : undefined
    if (only) pick(only.value)
  }

  input.addEventListener('click', () => isOpen() || open(''))
  input.addEventListener('focus', () => input.select())
  input.addEventListener('blur', settle)
  input.addEventListener('input', () => {
    // Typed text is no choice until it is settled.
    delete input.dataset['value']
    open(input.value.trim())
  })
  input.addEventListener('keydown', (event) => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (!isOpen()) open('')
      else activate(Math.min(Math.max(active + step, 0), shown.length - 1))
    } else if (event.key === 'Enter' && isOpen()) {
      event.preventDefault()
      const choice = shown[active]
      if (choice) pick(choice.value)
    } else if (event.key === 'Escape' && isOpen()) {
      event.preventDefault()
      show(chosen)
      close()
    }
  })

  return {
    /** The value of the choice in the field; '' while the field has none. */
    value: () => input.dataset['value'] ?? '',
    set: (/** @type {string} */ value) => show(value),
    /** Drops the choices, to load them again in another language, and renames the one in the field. */
    reload: () => {
      choices = null
      close()
      if (input.dataset['value'] !== undefined) show(chosen)
    },
  }
}
