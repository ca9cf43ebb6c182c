import { request } from '../lib/api.js'
import { checkFields, focusField, forgiveOnInput, placeIssues, valueOf } from '../lib/fields.js'
import { startLinkPage } from '../lib/page.js'
import { faultOfPassword, hidePassword, PASSWORD_MIN, wirePassword } from '../lib/password.js'

/** @type {import('../lib/fields.js').Field} */
const password = {
  id: 'password',
  path: ['newPassword'],
  missing: 'owner.password.missing',
  wrong: 'owner.password.wrong',
  accepts: (value) => value.length >= PASSWORD_MIN,
  fault: faultOfPassword('password'),
  verbatim: true,
}

forgiveOnInput([password])
wirePassword('password', () => [])

startLinkPage({
  name: 'reset-password',
  submit: 'reset.submit',
  sending: 'reset.sending',
  send: (token) => {
    if (checkFields([password])) {
      focusField(password)
      return null
    }
    hidePassword('password')
    return request('POST', '/auth/reset-password', { body: { token, newPassword: valueOf(password) } })
  },
  read: (problem) => {
    if (problem.code === 'TOKEN_INVALID') return 'invalid'
    if (problem.code !== 'VALIDATION_ERROR' || !placeIssues([password], problem.issues).first) return 'other'
    focusField(password)
    return 'shown'
  },
})
