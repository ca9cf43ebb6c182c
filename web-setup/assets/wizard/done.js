import { newIdempotencyKey, property, request, textProperty } from '../lib/api.js'
import { announce, byId, formById, inputById, setBusy, showScreen } from '../lib/dom.js'
import { checkFields, focusField, forgiveOnInput, placeIssues, valueOf } from '../lib/fields.js'
import { clearProblem, tellProblem } from '../lib/problem.js'
import { setText, t } from '../lib/text.js'

/** @type {import('../lib/fields.js').Field} */
const keyName = {
  id: 'key-name',
  path: ['name'],
  missing: 'done.key.name.missing',
  wrong: 'done.key.name.wrong',
  accepts: (value) => value.length <= 100,
}

/** The owner's access token: kept in memory only. */
let accessToken = ''
let creating = false
/** One idempotency key for each API key: a retry after a lost reply returns the same API key, not a second one. */
let idempotencyKey = newIdempotencyKey()

/**
 * Shows the last page: what to do next.
 * @param {{ baseUrl: string, accessToken: string, name: string, email: string } | { baseUrl: string }} created without
 * an access token after a reload: the session's cookie renews it when needed
 */
export function showDone(created) {
  if ('name' in created) {
    accessToken = created.accessToken
    setText(byId('done-lead'), 'done.lead', { name: created.name, email: created.email })
  }
  byId('api-address').textContent = `${created.baseUrl}/api/v1`
  fillExample(created.baseUrl, 'YOUR_KEY')
  inputById('key-name').value = t('done.key.name.example')
  forgiveOnInput([keyName])
  const form = formById('key-form')
  form.addEventListener('input', () => {
    idempotencyKey = newIdempotencyKey()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void createKey(created.baseUrl)
  })
  showScreen('done')
}

export function retryKey() {
  formById('key-form').requestSubmit()
}

/**
 * @param {string} baseUrl
 * @param {string} key
 */
function fillExample(baseUrl, key) {
  byId('example').textContent = `curl -H "Authorization: Bearer ${key}" ${baseUrl}/api/v1/branches`
}

/** @param {string} baseUrl */
async function createKey(baseUrl) {
  if (creating) return
  clearProblem()
  if (checkFields([keyName])) return focusField(keyName)
  creating = true
  const button = byId('create-key')
  setBusy(button, true)
  setText(button, 'done.key.creating')
  announce(t('done.key.creating'))
  const reply = await signedIn(async () => {
    const me = await request('GET', '/auth/me', { accessToken })
    if (!me.ok) return me
    const permissions = allowed(property(me.data, 'permissions'), inputById('key-read').checked)
    const body = { name: valueOf(keyName), permissions }
    return request('POST', '/api-keys', { accessToken, idempotencyKey, body })
  })
  creating = false
  setBusy(button, false)
  setText(button, 'done.key.create')
  announce('')
  if (reply.ok) showKey(baseUrl, textProperty(reply.data, 'key'))
  else if (reply.problem.status === 401) tellProblem(reply.problem, 'done.sessionEnded')
  else if (placeIssues([keyName], reply.problem.issues).first) focusField(keyName)
  else tellProblem(reply.problem)
}

/**
 * The permissions of the new key: all of the owner's, as the server lists them, or only those that read.
 * @param {unknown} permissions
 * @param {boolean} readOnly
 * @returns {string[]}
 */
function allowed(permissions, readOnly) {
  const all = Array.isArray(permissions) ? permissions.map(String) : []
  return readOnly ? all.filter((permission) => permission.endsWith('.read')) : all
}

/**
 * Sends a request as the owner; when the access token has expired, renews it once with the session's cookie.
 * @param {() => Promise<import('../lib/api.js').Reply>} ask
 */
async function signedIn(ask) {
  const first = accessToken === '' ? null : await ask()
  if (first && (first.ok || first.problem.status !== 401)) return first
  const renewed = await request('POST', '/auth/refresh', { body: {} })
  if (!renewed.ok) return renewed
  accessToken = textProperty(renewed.data, 'accessToken')
  return ask()
}

/**
 * @param {string} baseUrl
 * @param {string} key
 */
function showKey(baseUrl, key) {
  byId('key-value').textContent = key
  byId('key-form').hidden = true
  byId('key-result').hidden = false
  byId('example-hint').hidden = true
  fillExample(baseUrl, key)
  announce(t('done.key.once'))
  byId('key-result').focus()
}
