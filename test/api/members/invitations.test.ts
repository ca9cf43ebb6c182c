import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plusSeconds } from '#kernel/time/clock.ts'
import { newId } from '#kernel/basics/ids.ts'
import { Grants } from '#kernel/rights/permissions.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { ensureUser } from '#modules/identity/index.ts'
import { findInvitation, inviteMember } from '#modules/members/index.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'

let app: TestApp
let institute: TestInstitute
let made = 0

const WEEK = 7 * 24 * 3600
/** There is no mailbox here: whoever invites is given the link. */
const LINK = expect.stringMatching(/^https:\/\/noor\.example\.org\/invitation\?token=\S+$/)

beforeAll(async () => {
  app = await startApp({ config: { baseUrl: 'https://noor.example.org/' } })
})
// Access tokens live 15 minutes, and some of these tests move the clock by a week.
beforeEach(async () => {
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const newEmail = () => {
  made += 1
  return `Invited-${made}@Example.org`
}

const invite = async (email = newEmail(), of = institute) => {
  const reply = await of.owner.post('/members', { email, roleId: of.roles.teacher })
  const { body } = await of.owner.get('/members?limit=100')
  const member = body.data.find((one: { email: string }) => one.email.toLowerCase() === email.toLowerCase())
  return { email, reply, invitation: reply.body, member }
}

/** The token in the newest mail to that address. */
const mailedToken = async (email: string): Promise<string> => {
  await app.drain()
  const text = app.mails.findLast((mail) => mail.to === email)?.text
  return /https:\/\/noor\.example\.org\/invitation\?token=(\S+)/.exec(text ?? '')?.[1] ?? ''
}

const NEW = { password: 'a new password', fullName: 'Layla Haddad' }
/** @throws the error of the reply */
const accept = async (token: string, given: object = NEW) => {
  const { status, body } = await app.post('/invitations/accept', { token, ...given })
  if (status !== 200) throw body.error
  return body
}

const found = (token: string) => findInvitation(app.app.database.read, token, app.clock.now())
const userOf = (id: string) =>
  app.app.database.read.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const invitationInvalid = expect.objectContaining({ code: 'INVITATION_INVALID' })

describe('POST /members', () => {
  test('answers 201 with the invitation, valid for 7 days, and lists an invited member', async () => {
    const { email, reply, member } = await invite()
    expect(reply).toMatchObject({
      status: 201,
      body: { id: expect.any(String), email, expiresAt: plusSeconds(app.clock.now(), WEEK), link: LINK },
    })
    expect(Object.keys(reply.body)).toHaveLength(4)
    expect(member).toEqual({
      membershipId: expect.any(String),
      userId: expect.any(String),
      email,
      fullName: '',
      status: 'invited',
      joinedAt: null,
      createdAt: app.clock.now(),
      hasSecondFactor: false,
      roles: [{ roleId: institute.roles.teacher, roleName: 'Teacher', roleKey: 'teacher', branchId: null }],
    })
  })

  test('gives the role for each of several branches, each once; none of them is 422, an unknown one 404', async () => {
    const { owner, branchId, roles } = institute
    const north = (await owner.post('/branches', { name: 'North' })).body.id
    const send = (more: object) => owner.post('/members', { email: newEmail(), roleId: roles.teacher, ...more })
    const rolesOf = async (email: string) => {
      const { data } = (await owner.get('/members?limit=100')).body
      const { roles: held } = data.find((one: { email: string }) => one.email === email)
      return held.map((role: { branchId: string | null }) => role.branchId)
    }
    const both = await send({ branchIds: [north, branchId, north] })
    expect(await rolesOf(both.body.email)).toEqual(expect.arrayContaining([north, branchId]))
    expect(await rolesOf(both.body.email)).toHaveLength(2)
    const joined = await send({ branchId, branchIds: [north] })
    expect(await rolesOf(joined.body.email)).toHaveLength(2)
    expect((await send({ branchIds: [] })).status).toBe(422)
    expect((await send({ branchIds: [north, newId()] })).status).toBe(404)
  })

  test('records member.invited with exactly its fields, and an audit entry', async () => {
    const { email, invitation: given, member } = await invite()
    const { link: _link, ...invitation } = given
    const roleId = institute.roles.teacher
    expect((await eventsOf(app, institute, 'member.invited')).at(-1)).toEqual({
      invitationId: invitation.id,
      email,
      roleId,
      invitedByUserId: institute.ownerUserId,
    })
    expect((await auditOf(app, institute, 'members.invite')).at(-1)).toMatchObject({
      entity_type: 'invitation',
      entity_id: invitation.id,
      after: {
        ...invitation,
        membershipId: member.membershipId,
        roleId,
        branchIds: [],
        joinsStaff: false,
        invitedByUserId: institute.ownerUserId,
      },
    })
  })

  test('mails a link whose token is stored only as a hash', async () => {
    const { email } = await invite()
    const token = await mailedToken(email)
    expect(token.length).toBeGreaterThan(40)
    const { read } = app.app.database
    const everything = JSON.stringify([
      await read.selectFrom('invitation').selectAll().execute(),
      await read.selectFrom('job').selectAll().execute(),
      await read.selectFrom('audit_entry').selectAll().execute(),
      await read.selectFrom('event').selectAll().execute(),
    ])
    expect(everything).toContain(email)
    expect(everything).not.toContain(token)
  })

  test('the mail is in the institute’s language, or in that of the invited user if they have an account', async () => {
    const arabic = await makeInstitute(app, { defaultLocale: 'ar' })
    const newcomer = newEmail()
    await invite(newcomer, arabic)
    const { userId } = await institute.member({ role: 'teacher' })
    await invite(`user-${userId}@example.org`, arabic)
    await app.drain()
    expect(app.mails.find((mail) => mail.to === newcomer)?.locale).toBe('ar')
    expect(app.mails.find((mail) => mail.to === `user-${userId}@example.org`)?.locale).toBe('en')
  })

  test('is 409 for a member, a disabled member and an invited one, and returns the membership’s id', async () => {
    const { membershipId, userId, roleId } = await institute.member({ role: 'front_desk' })
    const again = () => institute.owner.post('/members', { email: `USER-${userId}@example.org`, roleId })
    const conflict = { status: 409, body: { error: { code: 'CONFLICT', details: { membershipId } } } }
    expect(await again()).toMatchObject(conflict)
    await institute.owner.patch(`/members/${membershipId}`, { status: 'disabled' })
    expect(await again()).toMatchObject(conflict)
    const { email, member } = await invite()
    const twice = await institute.owner.post('/members', { email: email.toLowerCase(), roleId })
    expect(twice).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { membershipId: member.membershipId } } },
    })
  })

  test('of many who invite the same address at once, one succeeds', async () => {
    const email = newEmail()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        institute.owner.post('/members', {
          email: n % 2 ? email : email.toUpperCase(),
          roleId: institute.roles.teacher,
        }),
      ),
    )
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)])
  })

  test('two institutes may invite the same newcomer at once', async () => {
    const others = await Promise.all([1, 2, 3, 4].map(() => makeInstitute(app)))
    const email = newEmail()
    const replies = await Promise.all(
      others.map((other) => other.owner.post('/members', { email, roleId: other.roles.teacher })),
    )
    expect(replies.map((reply) => reply.status)).toEqual([201, 201, 201, 201])
  })

  test('an unknown role or branch is 404, what is no email 422', async () => {
    const { teacher: roleId } = institute.roles
    const post = (body: object) => institute.owner.post('/members', { email: newEmail(), roleId, ...body })
    expect((await post({ roleId: newId() })).status).toBe(404)
    expect((await post({ branchId: newId() })).status).toBe(404)
    expect((await post({ email: 'nobody' })).status).toBe(422)
  })

  test('an API key may invite; the event names its creator', async () => {
    const creator = await institute.member({ permissions: ['members.manage', 'groups.read'] })
    const keyId = newId()
    const actor = { type: 'api_key', keyId, createdByUserId: creator.userId } as const
    const caller: Caller = {
      actor,
      channel: 'api',
      id: keyId,
      limitPerMinute: 1200,
      tenant: institute.tenant,
      membershipActive: true,
      needsSecondFactor: false,
      grants: new Grants([{ permissions: ['members.manage'], branchId: null }]),
      isOwner: false,
      key: { kind: 'secret', allowedOrigins: [] },
    }
    const sent: unknown[] = []
    const invited = (roleId: string) =>
      runInTransaction(app.app.runtime, { ...systemAuditContext('members.invite'), actor }, (unit) =>
        inviteMember(
          unit.tenant(institute.tenant, 'all'),
          {
            caller,
            inviting: { ensureUser, sendMail: (_, mail) => void sent.push(mail), linkToGive: async () => null },
          },
          { email: newEmail(), roleId },
        ),
      )
    const { invitation } = await invited(institute.roles.student)
    expect((await eventsOf(app, institute, 'member.invited')).at(-1)).toMatchObject({
      invitationId: invitation.id,
      invitedByUserId: creator.userId,
    })
    await expect(invited(institute.roles.teacher)).rejects.toMatchObject({ spec: { code: 'PERMISSION_ESCALATION' } })
  })
})

describe('POST /members/{id}/resend-invitation', () => {
  test('sends another link for another 7 days; the old token stops working', async () => {
    const { email, invitation, member } = await invite()
    const old = await mailedToken(email)
    app.clock.advance(60)
    const { status, body } = await institute.owner.post(`/members/${member.membershipId}/resend-invitation`)
    expect(status).toBe(200)
    expect(body).toEqual({ id: invitation.id, email, expiresAt: plusSeconds(app.clock.now(), WEEK), link: LINK })
    const fresh = await mailedToken(email)
    expect(await found(old)).toBeUndefined()
    expect(await found(fresh)).toMatchObject({ id: invitation.id })
    expect((await auditOf(app, institute, 'members.resend-invitation')).at(-1)).toMatchObject({
      entity_id: invitation.id,
      before: { expiresAt: invitation.expiresAt },
      after: { expiresAt: body.expiresAt },
    })
  })

  test('revives an expired invitation, and is 409 once it was accepted', async () => {
    const { email, member } = await invite()
    app.clock.advance(WEEK)
    expect(await found(await mailedToken(email))).toBeUndefined()
    const admin = await institute.member({ role: 'admin' })
    const resend = (membershipId: string) => admin.post(`/members/${membershipId}/resend-invitation`)
    expect((await resend(member.membershipId)).status).toBe(200)
    await accept(await mailedToken(email))
    const conflict = { status: 409, body: { error: { code: 'CONFLICT' } } }
    expect(await resend(member.membershipId)).toMatchObject(conflict)
    expect(await resend(admin.membershipId)).toMatchObject(conflict)
    expect((await resend(newId())).status).toBe(404)
  })
})

describe('an invitation', () => {
  test('admits a newcomer with the password and the name that they choose', async () => {
    const { email, invitation, member } = await invite()
    const token = await mailedToken(email)
    expect(await found(token)).toEqual({
      id: invitation.id,
      tenantId: institute.tenant.id,
      membershipId: member.membershipId,
      userId: member.userId,
      email,
    })
    expect(await accept(token)).toEqual({
      tenantId: institute.tenant.id,
      membershipId: member.membershipId,
      userId: member.userId,
    })
    expect(await userOf(member.userId)).toMatchObject({
      password_hash: 'plain:a new password',
      full_name: 'Layla Haddad',
      email_verified: true,
      status: 'active',
    })
    const { body } = await institute.owner.get('/members?limit=100')
    const after = body.data.find((one: { userId: string }) => one.userId === member.userId)
    expect(after).toEqual({ ...member, fullName: 'Layla Haddad', status: 'active', joinedAt: app.clock.now() })
    expect((await auditOf(app, institute, 'invitations.accept')).at(-1)).toMatchObject({
      entity_type: 'membership',
      entity_id: member.membershipId,
      before: member,
      after,
    })
  })

  test('asks a newcomer for a password and a name, and stays open until both are sent', async () => {
    const { email } = await invite()
    const token = await mailedToken(email)
    const { password, fullName } = NEW
    for (const [given, missing] of [
      [{ fullName }, ['password']],
      [{ password }, ['fullName']],
      [{}, ['fullName', 'password']],
    ] as const) {
      await expect(accept(token, given)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: missing.map((field) => ({ path: [field] })) },
      })
    }
    expect(await found(token)).toBeDefined()
  })

  test('keeps the password and the name of a user with an account', async () => {
    const elsewhere = await makeInstitute(app)
    const { userId } = await elsewhere.member({ role: 'teacher' })
    const email = `user-${userId}@example.org`
    await invite(email)
    const token = await mailedToken(email)
    await accept(token, { password: 'a stolen one', fullName: 'Somebody Else' })
    expect(await userOf(userId)).toMatchObject({ password_hash: 'plain:correct horse', full_name: 'Test User' })
  })

  test('does not reveal the name of a user of another institute until they accept', async () => {
    const elsewhere = await makeInstitute(app)
    const { userId } = await elsewhere.member({ role: 'teacher' })
    const { member } = await invite(`user-${userId}@example.org`)
    expect(member).toMatchObject({ userId, fullName: '' })
  })

  test('works once: of many concurrent requests, one succeeds', async () => {
    const { email } = await invite()
    const token = await mailedToken(email)
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => accept(token)))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toEqual(invitationInvalid)
    expect(await found(token)).toBeUndefined()
  })

  test('is invalid when unknown, expired, withdrawn, or of an archived institute', async () => {
    await expect(accept('unknown')).rejects.toEqual(invitationInvalid)

    const back = await invite()
    const backToken = await mailedToken(back.email)
    await institute.owner.delete(`/members/${back.member.membershipId}`)
    await expect(accept(backToken)).rejects.toEqual(invitationInvalid)

    const gone = await makeInstitute(app)
    const { email } = await invite(newEmail(), gone)
    const goneToken = await mailedToken(email)
    await app.app.database.write((db) =>
      db.updateTable('tenant').set({ status: 'archived' }).where('id', '=', gone.tenant.id).execute(),
    )
    expect(await found(goneToken)).toBeUndefined()
    await expect(accept(goneToken)).rejects.toEqual(invitationInvalid)

    const late = await invite()
    const lateToken = await mailedToken(late.email)
    app.clock.advance(WEEK - 1)
    expect(await found(lateToken)).toBeDefined()
    app.clock.advance(1)
    await expect(accept(lateToken)).rejects.toEqual(invitationInvalid)
  })

  test('gives the roles that the member has at acceptance; until then they can be replaced, but the member not disabled', async () => {
    const { email, member } = await invite()
    const path = `/members/${member.membershipId}`
    const roles = [{ roleId: institute.roles.accountant, branchId: institute.branchId }]
    expect((await institute.owner.put(`${path}/roles`, { roles })).body).toMatchObject({ status: 'invited', roles })
    for (const status of ['active', 'disabled']) {
      expect(await institute.owner.patch(path, { status })).toMatchObject({
        status: 409,
        body: { error: { code: 'CONFLICT' } },
      })
    }
    await accept(await mailedToken(email))
    expect((await institute.owner.patch(path, { status: 'disabled' })).body).toMatchObject({
      status: 'disabled',
      roles,
    })
  })

  test('a removed member can be invited again and joins anew', async () => {
    const { email, member } = await invite()
    await accept(await mailedToken(email))
    await institute.owner.delete(`/members/${member.membershipId}`)
    const again = await invite(email)
    expect(again.reply.status).toBe(201)
    expect(again.member).toMatchObject({ userId: member.userId, status: 'invited', joinedAt: null })
    expect(again.member.membershipId).not.toBe(member.membershipId)
    await accept(await mailedToken(email))
    const { body } = await institute.owner.get('/members')
    expect(body.data[0]).toMatchObject({ email, status: 'active', fullName: 'Layla Haddad' })
  })
})
