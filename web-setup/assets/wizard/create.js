import { rootAddress, setupTokenIn } from '../lib/address.js'
import { request, textProperty } from '../lib/api.js'
import { announce, byId, setBusy } from '../lib/dom.js'
import { placeIssues, showFault, valueOf } from '../lib/fields.js'
import { hidePassword } from '../lib/password.js'
import { clearProblem, tellProblem } from '../lib/problem.js'
import { setText, t } from '../lib/text.js'
import { FIELDS } from './fields.js'
import { mailServer } from './mail.js'
import { askForSetupToken, refuseSetupToken } from './token.js'

/** @typedef {import('../lib/api.js').Problem} Problem */
/** @typedef {import('./fields.js').WizardField} WizardField */
/** @typedef {{ accessToken: string, baseUrl: string, name: string, email: string }} Created */

let creating = false

/**
 * Creates the institute from the form. Ignores a second call while the first is running.
 * @param {object} next
 * @param {(created: Created) => void} next.done
 * @param {() => void} next.already an institute exists here
 * @param {(field: WizardField) => void} next.fix a field was refused, and shows why
 */
export async function createInstitute({ done, already, fix }) {
  if (creating) return
  creating = true
  const button = byId('create')
  clearProblem()
  hidePassword('owner-password')
  setBusy(button, true)
  setText(button, 'review.creating')
  announce(t('review.creating'))
  try {
    const body = bootstrapBody()
    const mail = mailServer()
    const saved = mail && (await request('POST', '//setup/mail', { body: { setupToken: body['setupToken'], mail } }))
    // 404: the server is set up already, or flags or the environment configure mail.
    const kept = !saved || saved.ok || saved.problem.status === 404
    const reply = kept ? await request('POST', '/setup/bootstrap', { body }) : saved
    announce('')
    if (reply.ok) return done(created(reply.data))
    const { problem } = reply
    if (problem.status === 404) {
      // The reply may have been lost (browsers silently send a request again when a connection breaks): if this owner
      // can sign in, the existing institute is the one that we just created.
      const session = await signIn()
      return session ? done(created(session)) : already()
    }
    const field = placeProblem(problem)
    if (field) fix(field)
    else tellProblem(problem)
  } finally {
    creating = false
    setBusy(button, false)
    setText(button, 'review.create')
  }
}

/** @param {string} id */
function value(id) {
  const field = FIELDS.find((one) => one.id === id)
  return field ? valueOf(field) : ''
}

function bootstrapBody() {
  /** @type {Record<string, unknown>} */
  const body = {}
  for (const field of FIELDS.filter(({ path }) => path[0] !== 'mail')) {
    const [first = '', second] = field.path
    if (second === undefined) body[first] = valueOf(field)
    else body[first] = { .../** @type {object} */ (body[first]), [second]: valueOf(field) }
  }
  const institute = /** @type {Record<string, unknown>} */ (body['institute'])
  institute['baseUrl'] = rootAddress(value('base-url'))
  body['setupToken'] = setupTokenIn(value('setup-token'))
  return body
}

/** @param {unknown} answer as POST /setup/bootstrap and POST /auth/login return it */
function created(answer) {
  return {
    accessToken: textProperty(answer, 'accessToken'),
    baseUrl: rootAddress(value('base-url')) ?? location.origin,
    name: value('institute-name'),
    email: value('owner-email'),
  }
}

async function signIn() {
  const credentials = { email: value('owner-email'), password: value('owner-password') }
  const reply = await request('POST', '/auth/login', { body: credentials })
  return reply.ok ? reply.data : null
}

/**
 * Shows a problem at its field, if it has one.
 * @param {Problem} problem
 * @returns {WizardField | null}
 */
function placeProblem(problem) {
  if (problem.code === 'TOKEN_INVALID') {
    refuseSetupToken()
    return fieldById('setup-token')
  }
  if (problem.code === 'TENANT_SLUG_TAKEN') {
    showFault('institute-slug', 'institute.slug.taken')
    return fieldById('institute-slug')
  }
  if (problem.code !== 'VALIDATION_ERROR') return null
  const { first, unplaced } = placeIssues(FIELDS, problem.issues)
  if (unplaced) tellProblem(problem)
  const field = first ? fieldById(first.id) : null
  if (field?.id === 'setup-token') askForSetupToken(true)
  return field
}

/** @param {string} id */
function fieldById(id) {
  return FIELDS.find((field) => field.id === id) ?? null
}
