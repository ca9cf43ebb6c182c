import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findInvitation } from '#modules/members/index.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'

/** The links that whoever invites hands over, where no mailbox sends them. */

let app: TestApp
let institute: TestInstitute
let made = 0

const LINK = expect.stringMatching(/^https:\/\/noor\.example\.org\/invitation\?token=\S+$/)

beforeAll(async () => {
  app = await startApp({ config: { baseUrl: 'https://noor.example.org/' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  institute = await makeInstitute(app)
})

const newEmail = () => {
  made += 1
  return `Invited-${made}@Example.org`
}
const invite = async () => {
  const email = newEmail()
  const { body: invitation } = await institute.owner.post('/members', { email, roleId: institute.roles.teacher })
  const [member] = (await institute.owner.get('/members')).body.data
  return { email, invitation, member }
}
const found = (token: string) => findInvitation(app.app.database.read, token, app.clock.now())
const accept = (token: string) =>
  app.post('/invitations/accept', { token, password: 'a new password', fullName: 'Layla Haddad' })

describe('the link of an invitation where there is no mailbox', () => {
  test('is given once to whoever invites, and stands in no list and not in the audit log, which says that it was given', async () => {
    const { email, invitation, member } = await invite()
    const token = new URL(invitation.link).searchParams.get('token') ?? ''
    expect(await found(token)).toMatchObject({ email })
    const entry = (await auditOf(app, institute, 'members.invite')).at(-1)
    expect(entry).toMatchObject({ entity_id: invitation.id, metadata: { linkGiven: true } })
    const again = (await institute.owner.post(`/members/${member.membershipId}/resend-invitation`)).body
    expect([await found(token), again.link]).toEqual([undefined, LINK])
    const resent = (await auditOf(app, institute, 'members.resend-invitation')).at(-1)
    expect(resent).toMatchObject({ metadata: { linkGiven: true } })
    const kept = [
      entry,
      resent,
      (await institute.owner.get('/members')).body,
      (await institute.owner.get('/audit-logs')).body,
    ]
    expect(JSON.stringify(kept)).not.toMatch(/token=|invitation\?/)
    const fresh = new URL(again.link).searchParams.get('token') ?? ''
    await accept(fresh)
    expect((await institute.owner.get('/members')).body.data[0]).toMatchObject({ email, status: 'active' })
  })

  test.each([
    ['with a mailbox', { smtpUrl: 'smtp://mail.example.org:2525' }],
    ['in the cloud', { mode: 'cloud' }],
  ] as const)('is given to nobody %s: the mail takes it', async (_, config) => {
    const other = await startApp({ config })
    try {
      const there = await makeInstitute(other)
      const { body } = await there.owner.post('/members', { email: newEmail(), roleId: there.roles.teacher })
      expect([body.id, body.link]).toEqual([expect.any(String), null])
      expect((await auditOf(other, there, 'members.invite')).at(-1)?.metadata).toBeNull()
    } finally {
      await other.close()
    }
  })
})
