import { request, textProperty } from '../lib/api.js'
import { wireCopyButtons } from '../lib/copy.js'
import { byId, focusHeading, formById, inputById, showScreen } from '../lib/dom.js'
import { checkFields, faultOf, focusField, forgiveOnInput } from '../lib/fields.js'
import { headingOf, startLanguage } from '../lib/page.js'
import { wirePassword } from '../lib/password.js'
import { clearProblem, tellProblem } from '../lib/problem.js'
import { currentLanguage, isLanguage, onLanguageChange, setText } from '../lib/text.js'
import { startAddressStep } from './address.js'
import { createInstitute } from './create.js'
import { retryKey, showDone, signOut } from './done.js'
import { readDraft, restoreFields, saveFields, writeDraft } from './draft.js'
import { FIELDS, fieldsOf, STEPS } from './fields.js'
import { startInstituteStep } from './institute.js'
import { startMail } from './mail.js'
import { fillReview } from './review.js'
import { checkSetupToken, startToken, takeSetupToken } from './token.js'

/** @typedef {import('./fields.js').Step} Step */
/** @typedef {'loading' | 'wizard' | 'done' | 'signed-out' | 'already' | 'cloud' | 'unreachable'} Screen */

/** @type {Step} */
let step = 'language'
/** @type {Screen} */
let screen = 'loading'

const { retitle, choose } = startLanguage(() =>
  screen === 'wizard' ? [headingOf(byId(`step-${step}`)), 'setup.title'] : [headingOf(byId(screen))],
)

/**
 * @param {Screen} next
 * @param {{ focus?: boolean }} [options]
 */
function show(next, options) {
  screen = next
  clearProblem()
  if (next === 'done') markProgress(STEPS.length)
  showScreen(next, options)
  retitle()
}

/** @param {number} place index of the current step; the number of steps when all are done */
function markProgress(place) {
  for (const [index, name] of STEPS.entries()) {
    const mark = byId(`progress-${name}`)
    mark.dataset['state'] = index < place ? 'past' : index === place ? 'current' : 'future'
    if (index === place) mark.setAttribute('aria-current', 'step')
    else mark.removeAttribute('aria-current')
  }
}

/**
 * @param {Step} next
 * @param {{ entry?: 'new' | 'same', focus?: boolean }} [options] whether the browser's Back button leads back here
 */
function goTo(next, { entry = 'new', focus = true } = {}) {
  step = next
  clearProblem()
  if (step === 'review') fillReview()
  const place = STEPS.indexOf(step)
  for (const name of STEPS) byId(`step-${name}`).hidden = name !== step
  markProgress(place)
  setText(byId('step-count'), 'setup.count', { n: place + 1, total: STEPS.length })
  byId('back').hidden = place === 0
  byId('next').hidden = step === 'review'
  byId('create').hidden = step !== 'review'
  if (entry === 'new') history.pushState({ step }, '')
  else history.replaceState({ step }, '')
  if (focus) focusHeading(byId(`step-${step}`))
  retitle()
}

/** Checks a step: shows its faults, and focuses the first field with one. @param {Step} name */
function isReady(name) {
  const wrong = checkFields(fieldsOf(name))
  if (!wrong) return true
  if (step !== name) goTo(name, { focus: false })
  focusField(wrong)
  return false
}

async function goOn() {
  if (step === 'review') return create()
  const next = STEPS[STEPS.indexOf(step) + 1]
  if (!next || !isReady(step)) return
  if (step === 'language' && !(await mayBegin())) return
  goTo(next)
}

/** The check that is under way. @type {Promise<boolean> | null} */
let checking = null

/** Whether the setup code is right; if not, the first step says so. */
function mayBegin() {
  checking ??= checkCode().finally(() => {
    checking = null
  })
  return checking
}

async function checkCode() {
  clearProblem()
  const verdict = await checkSetupToken()
  if (verdict === 'right') return true
  if (verdict === 'wrong') {
    if (step !== 'language') goTo('language', { focus: false })
    const field = fieldsOf('language')[0]
    if (field) focusField(field)
  } else if (verdict.status === 404) show('already')
  else tellProblem(verdict)
  return false
}

function create() {
  if (!STEPS.every(isReady)) return
  void createInstitute({
    done: (created) => {
      // Keep only the address in this tab: the form is no longer needed, and the password must leave the page.
      writeDraft({ done: { baseUrl: created.baseUrl } })
      formById('wizard-form').reset()
      show('done')
      showDone(created)
    },
    already: () => {
      writeDraft({})
      show('already')
    },
    fix: (field) => {
      if (field.step !== step) goTo(field.step, { focus: false })
      focusField(field)
    },
  })
}

/** The step to return to after a reload, but never beyond one that is incomplete (the password is never stored). */
function stepAfterReload() {
  const wanted = STEPS.findIndex((name) => name === history.state?.step)
  const open = STEPS.findIndex((name) => name !== 'review' && fieldsOf(name).some((field) => faultOf(field) !== null))
  return STEPS[Math.max(0, open === -1 ? wanted : Math.min(wanted, open))] ?? 'language'
}

async function begin() {
  const reply = await request('GET', '/setup/status')
  if (!reply.ok) {
    show('unreachable')
    return tellProblem(reply.problem, reply.problem.kind === 'unreachable' ? 'unreachable.text' : undefined)
  }
  if (textProperty(reply.data, 'deploymentMode') === 'cloud') return show('cloud')
  if (Reflect.get(Object(reply.data), 'needsSetup') !== true) {
    const { done } = readDraft()
    if (!done) return show('already')
    show('done')
    return showDone(done)
  }
  saveFields()
  show('wizard', { focus: false })
  goTo(stepAfterReload(), { entry: 'same', focus: false })
  // A wrong code is said at once, and not after everything else was filled in.
  if (inputById('setup-token').value !== '') await mayBegin()
}

function wireLanguageCards() {
  const cards = [...document.querySelectorAll('input[name="language"]')].filter(
    (card) => card instanceof HTMLInputElement,
  )
  const mark = () => {
    for (const card of cards) card.checked = card.value === currentLanguage()
  }
  for (const card of cards) card.addEventListener('change', () => isLanguage(card.value) && choose(card.value))
  onLanguageChange(mark)
  mark()
}

restoreFields(readDraft())
wireLanguageCards()
startInstituteStep()
startAddressStep()
startMail()
startToken()
takeSetupToken()
forgiveOnInput(FIELDS)
wireCopyButtons()

const password = wirePassword('owner-password', () => [
  ...['institute-name', 'institute-slug', 'owner-first-name', 'owner-last-name', 'owner-email'].map(
    (id) => inputById(id).value,
  ),
])
for (const id of ['owner-first-name', 'owner-last-name', 'owner-email'])
  byId(id).addEventListener('input', password.update)

const leave = async () => {
  await signOut()
  // What is kept is for going back to the last page, which nobody may now.
  writeDraft({})
  show('signed-out')
}
byId('sign-out').addEventListener('click', () => void leave())

byId('already-api').textContent = `${location.origin}/api/v1`
const form = formById('wizard-form')
form.addEventListener('input', saveFields)
form.addEventListener('change', saveFields)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void goOn()
})
byId('back').addEventListener('click', () => {
  const previous = STEPS[STEPS.indexOf(step) - 1]
  if (previous) goTo(previous)
})
for (const button of document.querySelectorAll('button[data-go]')) {
  button.addEventListener('click', () => {
    const target = STEPS.find((name) => name === button.getAttribute('data-go'))
    if (target) goTo(target)
  })
}
byId('retry').addEventListener('click', () => {
  if (screen === 'wizard') void goOn()
  else if (screen === 'done') retryKey()
  else void begin()
})
window.addEventListener('hashchange', () => {
  takeSetupToken()
  saveFields()
  history.replaceState({ step }, '')
  if (screen === 'wizard') void mayBegin()
})
window.addEventListener('popstate', (event) => {
  const target = STEPS.find((name) => name === event.state?.step)
  if (screen === 'wizard' && target) goTo(target, { entry: 'same' })
})
onLanguageChange(() => step === 'review' && fillReview())

void begin()
