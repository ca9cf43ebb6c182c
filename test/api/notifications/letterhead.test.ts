import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Mail } from '#ports/mail/port.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { png, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

let app: TestApp
let institute: TestInstitute
const mails: Mail[] = []

beforeAll(async () => {
  app = await startApp({
    openMailer: () => ({
      send: async (mail) => ({ answer: `mail ${mails.push(mail)}`, passwordUnused: false }),
      close: async () => {},
    }),
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  mails.length = 0
  institute = await makeInstitute(app)
})

/** Sends a mail to a student. */
const tell = async () => {
  const { owner, branchId } = institute
  const person = { branchId, firstName: 'Noor', lastName: 'Haddad', email: 'noor@example.org' }
  const { id } = (await owner.post('/students', person)).body
  const data = { title: 'Closed', message: 'We are closed.' }
  const sent = { templateKey: 'message', data, channels: ['email'], recipients: { studentIds: [id] } }
  expect((await owner.post('/notifications/send', sent)).status).toBe(202)
  await app.drain()
}

test('a mail looks like one of the institute: its colour, its logo, and where it is reached', async () => {
  const { owner, branchId } = institute
  await tell()
  expect(mails[0]).toMatchObject({ attachments: [], text: expect.not.stringContaining('+972') })
  expect(mails[0]?.html).not.toContain('cid:')
  const picture = png('logo')
  const { id: logoFileId } = (await uploaded(app, owner, { bytes: picture })).body
  await owner.patch('/settings', { branding: { color: '#7a2048', logoFileId } })
  const address = { line1: '<b>Salah ad-Din 7', city: 'Jerusalem' }
  await owner.patch(`/branches/${branchId}`, { phone: '+97225551234', address })
  await tell()
  const { html = '', text, attachments } = mails[1] as Mail
  expect(attachments).toEqual([{ name: 'logo', cid: 'logo', type: 'image/png', bytes: picture }])
  expect(html).toMatch(/border-top:4px solid #7a2048.*<img src="cid:logo"/)
  for (const said of ['+97225551234', '&lt;b&gt;Salah ad-Din 7, Jerusalem']) expect(html).toContain(said)
  for (const said of ['+97225551234', '<b>Salah ad-Din 7, Jerusalem']) expect(text).toContain(said)
})

test('a mail goes without a logo that is too large for hundreds of mails', async () => {
  const bytes = Buffer.concat([png('large'), Buffer.alloc(100_000)])
  const { id: logoFileId } = (await uploaded(app, institute.owner, { bytes })).body
  await institute.owner.patch('/settings', { branding: { logoFileId } })
  await tell()
  expect(mails[0]).toMatchObject({ attachments: [], html: expect.not.stringContaining('cid:') })
})
