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
  void tellNextSteps()
}

/** Shows what to do next and the state of each. Without a reply the page shows texts without paths and states. */
async function tellNextSteps() {
  const reply = await signedIn(() => request('GET', '//setup/next-steps', { accessToken }))
  byId('done').dataset['known'] = reply.ok ? 'yes' : 'no'
  for (const id of ['next-mail', 'next-staff', 'backup-state', 'done-where']) byId(id).hidden = !reply.ok
  if (!reply.ok) return tellBackups('', '', true, '', '')
  const facts = reply.data
  const commands = property(facts, 'commands')
  const mail = property(facts, 'mail')
  const server = textProperty(mail, 'server')
  tellMail(server, textProperty(mail, 'sender'), textProperty(commands, server === '' ? 'mailSetup' : 'mailTest'))
  tellBackups(
    textProperty(facts, 'database'),
    textProperty(facts, 'backups'),
    property(facts, 'nightly') === true,
    textProperty(commands, 'backup'),
    textProperty(commands, 'restore'),
  )
  byId('data-dir').textContent = textProperty(facts, 'dataDir')
  const invited = Number(property(facts, 'invited'))
  setText(byId('staff-state'), invited > 0 ? 'done.staff.some' : 'done.staff.none', { count: invited })
  byId('next-staff').dataset['state'] = invited > 0 ? 'done' : 'open'
  const signInUrl = textProperty(facts, 'signInUrl')
  // Without an address of the app there is nowhere to send the person.
  byId('next-staff').hidden = signInUrl === ''
  if (signInUrl !== '') byId('open-app').setAttribute('href', signInUrl)
}

/**
 * @param {string} server '' where there is none
 * @param {string} sender
 * @param {string} command
 */
function tellMail(server, sender, command) {
  byId('next-mail').dataset['state'] = server === '' ? 'open' : 'done'
  if (server === '') setText(byId('mail-state'), 'done.mail.none')
  else setText(byId('mail-state'), 'done.mail.server', { server, sender })
  setText(byId('mail-how'), server === '' ? 'done.mail.how' : 'done.mail.try')
  showCommand('mail-command', command)
}

/**
 * @param {string} database '' where it is not known
 * @param {string} folder
 * @param {boolean} nightly whether the server makes them every night
 * @param {string} backup the command
 * @param {string} restore
 */
function tellBackups(database, folder, nightly, backup, restore) {
  const isPostgres = database === 'postgres'
  byId('next-backup').dataset['state'] = nightly && database !== '' ? 'done' : 'open'
  setText(byId('backup-state'), nightly ? 'done.backup.nightly' : 'done.backup.yours')
  if (isPostgres) setText(byId('backup-how'), 'done.backup.postgres')
  else if (!nightly) setText(byId('backup-how'), 'done.backup.off')
  else setText(byId('backup-how'), folder === '' ? 'done.backup.somewhere' : 'done.backup.place')
  showCommand('backup-folder', isPostgres ? '' : folder)
  byId('backup-keep').hidden = isPostgres
  // The program's own backup command is not for Postgres.
  byId('backup-by-hand').hidden = isPostgres || backup === ''
  showCommand('backup-command', backup)
  showCommand('restore-command', restore)
  byId('backup-sudo').hidden = !backup.startsWith('institute ')
}

/**
 * @param {string} id
 * @param {string} command '' where it is not known
 */
function showCommand(id, command) {
  byId(id).textContent = command
  const place = byId(id).parentElement
  if (place) place.hidden = command === ''
}

/** Ends the session of this page; one that has ended already is as good. */
export async function signOut() {
  const button = byId('sign-out')
  setBusy(button, true)
  await signedIn(() => request('POST', '/auth/logout', { accessToken, body: {} }))
  accessToken = ''
  setBusy(button, false)
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
