import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startBadMailServer, type BadMailServer } from '#kit/bad-mail-server.ts'
import { client, type Client } from '#kit/client.ts'
import { newSetup, OWNER, setupTokenIn } from '#kit/setup.ts'
import { startProgram } from './institute.ts'

/** The program is killed with SIGKILL while it sends a mail, and started again. */

let mailServer: BadMailServer
let dataDir: string
beforeEach(async () => {
  mailServer = await startBadMailServer()
  dataDir = mkdtempSync(path.join(tmpdir(), 'institute-kill-'))
})
afterEach(() => mailServer.stop())

const start = async () => {
  const program = await startProgram(dataDir, {
    INSTITUTE_SMTP_URL: mailServer.url(),
    INSTITUTE_MAIL_FROM: 'office@example.org',
  })
  return { program, api: client(program.url as string) }
}

const signIn = async (api: Client): Promise<Client> => {
  const { email, password } = OWNER
  const { body } = await api.post('/auth/login', { email, password, client: 'mobile' })
  return api.as(body.accessToken)
}

const send = async (owner: Client): Promise<void> => {
  const { id } = (await owner.get('/me')).body
  const data = { title: 'Closed', message: 'We are closed.' }
  const recipients = { userIds: [id] }
  const { status } = await owner.post('/notifications/send', {
    templateKey: 'message',
    data,
    channels: ['email'],
    recipients,
  })
  expect(status).toBe(202)
}

const entryOf = async (owner: Client) => (await owner.get('/notifications')).body.data[0]
const messageIds = (): string[] => mailServer.mails.map((mail) => /^Message-ID: (\S+)/m.exec(mail)?.[1] ?? 'none')
const mailsOf = (id: string): number => messageIds().filter((messageId) => messageId === `<${id}@example.org>`).length

test('a mail is sent once more with the same Message-ID where a kill left it open, and else once', async () => {
  const { program, api } = await start()
  const { body } = await api.post('/setup/bootstrap', newSetup(setupTokenIn(dataDir)))
  const owner = api.as(body.accessToken)

  // Killed before the mail server has the mail.
  mailServer.behave({ greeting: 'hangs' })
  await send(owner)
  await expect.poll(() => mailServer.sockets.size).toBe(1)
  const unsent = await entryOf(owner)
  expect(unsent).toMatchObject({ status: 'queued', attempts: 0 })
  await program.stop('SIGKILL')
  mailServer.behave({})

  const second = await start()
  const again = await signIn(second.api)
  await expect.poll(async () => (await entryOf(again)).status, { timeout: 10_000 }).toBe('sent')
  expect(mailsOf(unsent.id)).toBe(1)

  // Killed when the mail server has it, and has not said so.
  mailServer.behave({ dot: 'hangs' })
  await send(again)
  await expect.poll(() => mailServer.mails.length, { timeout: 10_000 }).toBe(2)
  const open = await entryOf(again)
  expect(open).toMatchObject({ status: 'queued', attempts: 0 })
  await second.program.stop('SIGKILL')
  mailServer.behave({})

  const third = await start()
  const last = await signIn(third.api)
  await expect.poll(async () => (await entryOf(last)).status, { timeout: 10_000 }).toBe('sent')
  expect(await entryOf(last)).toMatchObject({ id: open.id, attempts: 1 })
  expect(mailsOf(open.id)).toBe(2)

  // Killed when it is stored: nothing is repeated.
  await third.program.stop('SIGKILL')
  const fourth = await start()
  await send(await signIn(fourth.api))
  await expect.poll(() => mailServer.mails.length, { timeout: 10_000 }).toBe(4)
  expect([mailsOf(unsent.id), mailsOf(open.id)]).toEqual([1, 2])
})
