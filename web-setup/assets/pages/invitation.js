import { request } from '../lib/api.js'
import { byId } from '../lib/dom.js'
import { checkFields, focusField, forgiveOnInput, placeIssues, showFault, valueOf } from '../lib/fields.js'
import { startLinkPage } from '../lib/page.js'
import { faultOfPassword, hidePassword, PASSWORD_MIN, wirePassword } from '../lib/password.js'
import { isName } from '../lib/rules.js'
import { setText } from '../lib/text.js'

/** @typedef {import('../lib/fields.js').Field} Field */

/** Both may stay empty: only the server knows whether the person already has an account. */
/** @type {Field} */
const fullName = {
  id: 'full-name',
  path: ['fullName'],
  wrong: 'invitation.fullName.wrong',
  accepts: (value) => value.length <= 200 && isName(value),
}
/** @type {Field} */
const password = {
  id: 'password',
  path: ['password'],
  wrong: 'owner.password.wrong',
  accepts: (value) => value.length >= PASSWORD_MIN,
  fault: faultOfPassword('password'),
  verbatim: true,
}
const fields = [fullName, password]

/**
 * @param {Field} field
 * @param {import('../lib/text.js').TextKey} missing
 */
function require(field, missing) {
  field.missing = missing
  byId(field.id).setAttribute('aria-required', 'true')
}

forgiveOnInput(fields)
wirePassword('password', () => [valueOf(fullName)])

startLinkPage({
  name: 'invitation',
  tell: ({ institute, inviter, needs }) => {
    if (inviter !== '') setText(byId('lead'), 'invitation.leadFrom', { inviter, institute })
    const isKnown = !needs.fullName && !needs.password
    byId('existing').hidden = !isKnown
    if (isKnown) setText(byId('existing'), 'invitation.known')
    byId('full-name-field').hidden = isKnown
    byId('password-field').hidden = !needs.password
    // What is sure to be asked for is asked for here, before anything is sent.
    if (needs.fullName) require(fullName, 'invitation.fullName.missing')
    if (needs.password) require(password, 'owner.password.missing')
  },
  submit: 'invitation.submit',
  sending: 'invitation.sending',
  send: (token) => {
    const wrong = checkFields(fields)
    if (wrong) {
      focusField(wrong)
      return null
    }
    hidePassword('password')
    const body = {
      token,
      fullName: valueOf(fullName) || undefined,
      password: valueOf(password) || undefined,
      locale: document.documentElement.lang,
    }
    return request('POST', '/invitations/accept', { body })
  },
  read: (problem) => {
    if (problem.code === 'INVITATION_INVALID') return 'invalid'
    if (problem.code !== 'VALIDATION_ERROR') return 'other'
    if (problem.issues.some(({ path }) => path[0] === 'token')) return 'invalid'
    const { first } = placeIssues(fields, problem.issues)
    if (!first) return 'other'
    for (const { path } of problem.issues) {
      if (path[0] === 'fullName' && valueOf(fullName) === '') showFault('full-name', 'invitation.fullName.missing')
      if (path[0] === 'password' && valueOf(password) === '') showFault('password', 'invitation.password.missing')
    }
    focusField(first)
    return 'shown'
  },
})
