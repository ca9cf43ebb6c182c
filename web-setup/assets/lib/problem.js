import { byId } from './dom.js'
import { clearText, intlLocale, setText } from './text.js'

/**
 * Words a duration in the page's language.
 * @param {number} seconds
 */
function inWords(seconds) {
  const minutes = seconds > 90
  return new Intl.NumberFormat(intlLocale(), {
    style: 'unit',
    unit: minutes ? 'minute' : 'second',
    unitDisplay: 'long',
  }).format(minutes ? Math.ceil(seconds / 60) : seconds)
}

/**
 * What to say of a reply that something in front of the server gave in its place.
 * @type {Readonly<Record<number, import('./text.js').TextKey>>}
 */
const IN_FRONT = {
  413: 'problem.inFront.large',
  502: 'problem.inFront.alone',
  503: 'problem.inFront.alone',
  504: 'problem.inFront.slow',
}

/**
 * Shows a problem that belongs to no single field in the page's alert (#alert), which moves to the current step. The
 * server's code and request id are folded away, for support.
 * @param {import('./api.js').Problem} problem
 * @param {import('./text.js').TextKey} [key] a more specific text than the general one
 */
export function tellProblem(problem, key) {
  const seconds = problem.retryAfterSec
  const text = byId('alert-text')
  if (key) setText(text, key)
  else if (problem.kind === 'unreachable') setText(text, 'problem.unreachable')
  else if (problem.kind === 'foreign') setText(text, IN_FRONT[problem.status] ?? 'problem.inFront.page')
  else if (problem.status === 429 && seconds) setText(text, 'problem.wait', { wait: () => inWords(seconds) })
  else if (problem.status === 429) setText(text, 'problem.waitMoment')
  else if (problem.status >= 500 || problem.code === '') setText(text, 'problem.server')
  else setText(text, 'problem.refused')

  const facts = [
    problem.status > 0 ? `HTTP ${problem.status}` : '',
    problem.code,
    problem.requestId ?? '',
    ...problem.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
  ].filter((fact) => fact !== '')
  byId('alert-facts').textContent = facts.join('\n')
  byId('alert-details').hidden = facts.length === 0
  const alert = byId('alert')
  const places = [...document.querySelectorAll('[data-alert-place]')]
  places.find((place) => place.closest('[hidden]') === null)?.append(alert)
  alert.hidden = false
  alert.scrollIntoView({ block: 'nearest' })
}

export function clearProblem() {
  byId('alert').hidden = true
  clearText(byId('alert-text'))
}
