import { request } from '../lib/api.js'
import { startLinkPage } from '../lib/page.js'

startLinkPage({
  name: 'verify-email',
  submit: 'verify.submit',
  sending: 'verify.sending',
  send: (token) => request('POST', '/auth/verify-email', { body: { token } }),
  read: (problem) => (problem.code === 'TOKEN_INVALID' || problem.code === 'VALIDATION_ERROR' ? 'invalid' : 'other'),
})
