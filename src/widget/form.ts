import { showCaptcha, type Captcha } from './captcha.ts'
import { make } from './dom.ts'
import { fieldOf } from './fields.ts'
import { openCourses, send, type Outcome } from './send.ts'
import type { Settings } from './settings.ts'
import { applyTheme } from './style.ts'
import { directionOf } from '../shared/locale.ts'
import { whenOf } from './when.ts'
import { TEXTS, type Texts } from './words/index.ts'

/** A registration whose fate is not known: it is sent again exactly as it was, so that it is taken once. */
interface Pending {
  /** What was filled in. */
  filled: string
  body: string
  key: string
}

/** A random UUID. crypto.randomUUID is missing on pages without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Puts the values at their paths: guardian.phone → {guardian: {phone}}. */
const nested = (values: readonly (readonly [path: string, value: string | undefined])[]): Record<string, unknown> => {
  const all: Record<string, unknown> = {}
  for (const [path, value] of values) {
    const [first = '', second] = path.split('.')
    if (second === undefined) all[first] = value
    else all[first] = { ...(all[first] as object), [second]: value }
  }
  return all
}

const fieldsOf = (texts: Texts) => {
  const name = { required: true, maxLength: 100 } as const
  const phone = { kind: 'tel', maxLength: 50, autocomplete: 'tel' } as const
  const student = [
    fieldOf({ ...name, path: 'firstName', label: 'firstName', autocomplete: 'off' }, texts),
    fieldOf({ ...name, path: 'lastName', label: 'lastName', autocomplete: 'off' }, texts),
  ]
  const guardian = [
    fieldOf({ ...name, path: 'guardian.firstName', label: 'firstName', autocomplete: 'given-name' }, texts),
    fieldOf({ ...name, path: 'guardian.lastName', label: 'lastName', autocomplete: 'family-name' }, texts),
    fieldOf({ ...phone, path: 'guardian.phone', label: 'phone', required: true }, texts),
    fieldOf({ path: 'guardian.email', label: 'email', kind: 'email', maxLength: 254, autocomplete: 'email' }, texts),
  ]
  const course = fieldOf({ path: 'courseId', label: 'course', kind: 'select', wide: true }, texts)
  const message = fieldOf({ path: 'message', label: 'message', kind: 'textarea', maxLength: 2000, wide: true }, texts)
  return { student, guardian, course, message }
}

/** Shows the form in the shadow root of `host`. */
export const showForm = (host: HTMLElement, root: ShadowRoot, settings: Settings): void => {
  const { locale, theme, courseInterest, courseId, groupId, captchaSiteKey } = settings
  const texts = TEXTS[locale]
  const { student, guardian, course, message } = fieldsOf(texts)
  const fields = [...student, ...guardian, course, message]

  const heading = make('h2', { id: 'title', tabindex: '-1' }, texts.title)
  const alert = make('div', { class: 'alert', role: 'alert' })
  const button = make('button', { type: 'submit' }, texts.send)
  const group = (title: string, members: typeof fields) =>
    // Chromium 92 loses the legend of a fieldset that is a grid itself.
    make(
      'fieldset',
      {},
      make('legend', {}, title),
      make('div', { class: 'fields' }, ...members.map(({ element }) => element)),
    )
  const rest = make('div', { class: 'fields' }, course.element, message.element)
  // The captcha's own element lies in the page; the slot shows it here.
  const captchaPlace = make('div', { class: 'captcha' }, make('slot', { name: 'captcha' }))
  captchaPlace.hidden = captchaSiteKey === undefined
  const form = make(
    'form',
    { novalidate: '', 'aria-labelledby': 'title' },
    heading,
    group(texts.student, student),
    group(texts.guardian, guardian),
    rest,
    captchaPlace,
    alert,
    button,
  )
  const frame = make('div', { class: 'form', lang: locale, dir: directionOf(locale) }, form)
  applyTheme(frame, theme)
  root.append(frame)

  course.element.hidden = true
  const offerCourses = async (): Promise<void> => {
    const open = await openCourses(settings)
    if (open === 'origin') alert.textContent = texts.origin
    if (typeof open === 'string' || open.length === 0) return
    const options = [{ id: '', name: texts.undecided }, ...open]
    course.control.append(...options.map(({ id, name }) => make('option', { value: id }, name)))
    course.element.hidden = false
  }
  if (courseId === undefined && groupId === undefined && courseInterest === undefined) void offerCourses()

  let captcha: Captcha | 'missing' | undefined
  if (captchaSiteKey !== undefined) {
    const place = make('div', { slot: 'captcha' })
    host.append(place)
    showCaptcha(settings, captchaSiteKey, place).then(
      (shown) => {
        captcha = shown
      },
      (error: unknown) => {
        console.error(error)
        captcha = 'missing'
        alert.textContent = texts.captchaMissing
      },
    )
  }

  /** Shows errors at fields; the first of them gets the focus. */
  const showFaults = (faults: readonly (readonly [(typeof fields)[number], string])[]): void => {
    alert.textContent = faults.length > 0 ? texts.fix : ''
    for (const field of fields) field.fault(faults.find(([faulty]) => faulty === field)?.[1])
    faults[0]?.[0].control.focus()
  }

  const showReceived = (): void => {
    const name = fields[0]?.value() ?? ''
    heading.textContent = texts.thanks
    form.replaceChildren(heading, make('p', { id: 'received', role: 'status' }, texts.received(name)))
    heading.setAttribute('aria-describedby', 'received')
    host.replaceChildren()
    heading.focus()
  }

  const show = (outcome: Outcome): void => {
    switch (outcome.kind) {
      case 'received':
        showReceived()
        return
      case 'fields': {
        const faulty = fields.filter(({ path, element }) => !element.hidden && outcome.paths.includes(path))
        showFaults(faulty.map((field) => [field, field.refused] as const))
        if (faulty.length === 0) alert.textContent = texts.server
        return
      }
      case 'notOffered':
        if (course.value() === undefined) alert.textContent = texts.notOffered
        else showFaults([[course, texts.notOffered]])
        return
      case 'limit':
        alert.textContent = texts.limit(whenOf(outcome.seconds, locale))
        return
      case 'captchaAgain':
      case 'closed':
      case 'origin':
      case 'network':
      case 'server':
      case 'inFront':
        alert.textContent = texts[outcome.kind]
    }
  }

  let pending: Pending | undefined
  /** @returns undefined when the captcha is not solved */
  const registrationOf = (filled: Record<string, unknown>): Pending | undefined => {
    const asText = JSON.stringify(filled)
    if (pending?.filled === asText) return pending
    const captchaToken = typeof captcha === 'object' ? captcha.token() : undefined
    if (captchaSiteKey !== undefined && captchaToken === undefined) return undefined
    return { filled: asText, body: JSON.stringify({ ...filled, captchaToken }), key: newKey() }
  }

  const submit = async (): Promise<void> => {
    const faults = fields.flatMap((field) => {
      const text = field.check()
      return text === undefined ? [] : [[field, text] as const]
    })
    showFaults(faults)
    if (faults.length > 0) return
    const given = { courseInterest, groupId, locale, ...(courseId !== undefined && { courseId }) }
    const filled = { ...nested(fields.map((field) => [field.path, field.value()] as const)), ...given }
    pending = registrationOf(filled)
    if (!pending) {
      alert.textContent = captcha === 'missing' ? texts.captchaMissing : texts.captcha
      return
    }
    const outcome = await send(settings, pending.body, pending.key)
    if (!['network', 'server', 'inFront'].includes(outcome.kind)) {
      pending = undefined
      if (outcome.kind !== 'received' && typeof captcha === 'object') captcha.reset()
    }
    show(outcome)
  }

  let isSending = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isSending) return
    isSending = true
    button.setAttribute('aria-disabled', 'true')
    button.textContent = texts.sending
    const broken = (error: unknown): void => {
      // A fault of this form, which sending again does not mend.
      console.error(error)
      alert.textContent = texts.broken
    }
    void submit()
      .catch(broken)
      .finally(() => {
        isSending = false
        button.removeAttribute('aria-disabled')
        button.textContent = texts.send
      })
  })
}
