import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM_ROLES } from '#kernel/rights/permissions.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { grant } from '#kit/grant.ts'
import { linkAccount } from '#kit/link-account.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { mailedToken } from '#kit/sign-in.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newPhone } from '../examples/people.ts'
import { newGroup } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let made = 0

/** There is no mailbox here: whoever invites is given the link. */
const LINK = expect.stringContaining('/invitation?token=')

const NEW = { password: 'a phrase of my own', fullName: 'Huda Nasser' }
const freshEmail = () => {
  made += 1
  return `person-${made}@example.org`
}

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const add = async (kind: 'students' | 'guardians', more: object = {}) => {
  const own = kind === 'students' ? { branchId: institute.branchId } : { phone: newPhone() }
  const { status, body } = await institute.owner.post(`/${kind}`, {
    firstName: 'Huda',
    lastName: 'Nasser',
    ...own,
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const accept = async (email: string) => {
  await app.drain()
  return app.post('/invitations/accept', { token: mailedToken(app, email, 'invitation'), ...NEW })
}

test('a guardian is invited in the language of their record', async () => {
  const email = freshEmail()
  const { id } = await add('guardians', { email, preferredLocale: 'he' })
  expect((await institute.owner.post(`/guardians/${id}/invite`)).status).toBe(201)
  await app.drain()
  expect(app.mails.findLast(({ to }) => to === email)?.text).toMatch(/[א-ת]{3}/)
  await accept(email)
  const { body } = await app.post('/auth/login', { email, password: NEW.password })
  expect(body.user.locale).toBe('he')
})

test('a mail to a family says what the account is for, also when it is sent again; one to staff does not', async () => {
  const { owner } = institute
  const mailsTo = async (email: string) => {
    await app.drain()
    return app.mails.filter(({ to }) => to === email).map(({ text }) => text.replaceAll(/\s+/g, ' '))
  }
  const email = freshEmail()
  const { id } = await add('guardians', { email, preferredLocale: 'en' })
  await owner.post(`/guardians/${id}/invite`)
  const { data } = (await owner.get('/members?status=invited')).body
  const { membershipId } = data.find((one: { email: string }) => one.email === email)
  await owner.post(`/members/${membershipId}/resend-invitation`)
  const whatFor = expect.stringContaining('lessons, attendance, marks and messages')
  expect(await mailsTo(email)).toEqual([whatFor, whatFor])
  const [teacher, roles] = [freshEmail(), (await owner.get('/roles')).body.data]
  const roleId = roles.find(({ key }: { key: string }) => key === 'teacher').id
  expect((await owner.post('/members', { email: teacher, roleId })).status).toBe(201)
  expect((await mailsTo(teacher)).join(' ')).not.toMatch(/marks|علامات|ציונים/)
})

test('a person has one language: of their record, then of the page on which they accepted, then of their menu', async () => {
  const { owner } = institute
  const email = freshEmail()
  const { id: studentId } = await add('students')
  const link = { relationship: 'mother', isPrimary: true, isPayer: true }
  const guardian = await add('guardians', { email, preferredLocale: 'ar' })
  await owner.post(`/students/${studentId}/guardians`, { guardianId: guardian.id, ...link })
  const [ARABIC, HEBREW] = [/[\u0621-\u064a]{3}/, /[א-ת]{3}/]
  /** The month on the line, and the last mail, of an invoice that is made now. */
  const charged = async (month: string) => {
    const groupId = await newGroup(institute)
    await owner.post('/enrollments', { studentId, groupId })
    await newFeeSchedule(institute, { groupId })
    const { invoices } = (await owner.post('/billing/runs', { month })).body
    const { id } = invoices[0]
    const [line] = (await owner.get(`/invoices/${id}`)).body.lines
    await owner.post(`/invoices/${id}/issue`, {})
    await app.drain()
    return `${line.description}\n${app.mails.findLast(({ to }) => to === email)?.text}`
  }
  expect(await charged('2026-03')).toMatch(/آذار 2026[^]*آذار 2026/)
  await owner.post(`/guardians/${guardian.id}/invite`)
  await app.drain()
  expect(app.mails.findLast(({ to }) => to === email)?.text).toMatch(ARABIC)
  const token = mailedToken(app, email, 'invitation')
  expect((await app.post('/invitations/accept', { token, ...NEW, locale: 'he' })).status).toBe(200)
  const inHebrew = await charged('2026-04')
  expect(inHebrew).toMatch(/אפריל 2026[^]*אפריל 2026/)
  expect(inHebrew).not.toMatch(ARABIC)
  const { body } = await app.post('/auth/login', { email, password: NEW.password })
  expect((await app.as(body.accessToken).patch('/me', { locale: 'en' })).status).toBe(200)
  const inEnglish = await charged('2026-05')
  expect(inEnglish).toMatch(/May 2026[^]*May 2026/)
  expect(inEnglish).not.toMatch(HEBREW)
})

describe.each([
  ['students', 'student'],
  ['guardians', 'guardian'],
] as const)('POST /%s/{id}/invite', (kind, role) => {
  const invite = (id: string, body?: object) => institute.owner.post(`/${kind}/${id}/invite`, body)
  const read = async (id: string) => (await institute.owner.get(`/${kind}/${id}`)).body

  test('invites like POST /members, with the role of the kind; accepting sets userId', async () => {
    const email = freshEmail()
    const person = await add(kind, { email })
    const { status, body } = await invite(person.id)
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        email,
        expiresAt: new Date(app.clock.millis() + 7 * 86_400_000).toISOString(),
        link: LINK,
      },
    })
    expect((await eventsOf(app, institute, 'member.invited')).at(-1)).toEqual({
      invitationId: body.id,
      email,
      roleId: institute.roles[role],
      invitedByUserId: institute.ownerUserId,
    })
    expect((await auditOf(app, institute, `${kind}.invite`)).at(-1)).toMatchObject({
      entity_type: 'invitation',
      entity_id: body.id,
    })
    expect((await read(person.id)).userId).toBeNull()
    const accepted = await accept(email)
    expect(accepted.status).toBe(200)
    const after = await read(person.id)
    expect(after.userId).toBe(accepted.body.userId)
    if (kind === 'students') expect(after.version).toBe(2)
    expect(await auditOf(app, institute, 'invitations.accept')).toContainEqual(
      expect.objectContaining({ entity_type: role, entity_id: person.id, after: { userId: accepted.body.userId } }),
    )
    const { body: signedIn } = await app.post('/auth/login', { email, password: NEW.password })
    expect(signedIn.memberships).toMatchObject([{ roles: [{ roleKey: role }] }])
  })

  test('another email is used instead of the record’s, which does not change; without any it is 422', async () => {
    const email = freshEmail()
    const person = await add(kind, { email: 'record@example.org' })
    expect((await invite(person.id, { email })).body.email).toBe(email)
    expect((await read(person.id)).email).toBe('record@example.org')
    const bare = await add(kind)
    expect(await invite(bare.id)).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: ['email'] }] } } },
    })
    expect((await invite(bare.id, { email: 'no address' })).status).toBe(422)
  })

  test('is 409 for a record with an account, and for an address that is invited, a member or disabled', async () => {
    const email = freshEmail()
    const person = await add(kind, { email })
    await invite(person.id)
    const other = await add(kind)
    expect(await invite(other.id, { email })).toMatchObject({
      status: 409,
      body: { error: { message: /invited already/ } },
    })
    const { body } = await accept(email)
    expect(await invite(person.id, { email: freshEmail() })).toMatchObject({
      status: 409,
      body: { error: { message: /account/ } },
    })
    expect(await invite(other.id, { email })).toMatchObject({
      status: 409,
      body: { error: { message: /member already/ } },
    })
    await institute.owner.patch(`/members/${body.membershipId}`, { status: 'disabled' })
    expect(await invite(other.id, { email })).toMatchObject({
      status: 409,
      body: { error: { message: /disabled member/ } },
    })
  })

  test('a record that gets another account before the acceptance keeps it', async () => {
    const email = freshEmail()
    const person = await add(kind, { email })
    await invite(person.id)
    const { userId } = await institute.member({ role })
    await linkAccount(app, role, { id: person.id, userId })
    expect((await accept(email)).status).toBe(200)
    expect((await read(person.id)).userId).toBe(userId)
  })

  test('a withdrawn invitation links nobody; one whose record was deleted still makes a member', async () => {
    const email = freshEmail()
    const person = await add(kind, { email })
    await invite(person.id)
    const { body: members } = await institute.owner.get('/members?limit=100')
    const { membershipId } = members.data.find((one: { email: string }) => one.email === email)
    expect((await institute.owner.delete(`/members/${membershipId}`)).status).toBe(200)
    expect((await accept(email)).status).toBe(400)
    expect((await invite(person.id)).status).toBe(201)
    expect((await institute.owner.delete(`/${kind}/${person.id}`)).status).toBe(200)
    expect((await accept(email)).status).toBe(200)
  })

  test('a manager of one branch cannot invite, as with POST /members', async () => {
    const person = await add(kind)
    const manager = await institute.member({ permissions: ['members.manage'], branchId: institute.branchId })
    expect(await manager.post(`/${kind}/${person.id}/invite`, { email: freshEmail() })).toMatchObject({ status: 403 })
  })
})

describe('who is invited to the staff', () => {
  const staff = async () => (await institute.owner.get('/staff?limit=100')).body.data
  const invite = async (more: object = {}) => {
    const email = freshEmail()
    const { status } = await institute.owner.post('/members', {
      email,
      roleId: institute.roles.teacher,
      joinsStaff: true,
      ...more,
    })
    expect(status).toBe(201)
    return email
  }
  const accepted = async (email: string, fullName: string) => {
    await app.drain()
    const reply = await app.post('/invitations/accept', {
      token: mailedToken(app, email, 'invitation'),
      ...NEW,
      fullName,
    })
    expect(reply.status).toBe(200)
    return reply.body.userId as string
  }

  test('has a staff record from the acceptance on, in the branch of the role, and can be given a group', async () => {
    const branchId = (await institute.owner.post('/branches', { name: 'North' })).body.id
    const email = await invite({ branchIds: [branchId] })
    expect(await staff()).toEqual([])
    const userId = await accepted(email, 'Huda Abu  Nasser')
    const [record] = await staff()
    expect(record).toMatchObject({
      userId,
      branchId,
      firstName: 'Huda Abu',
      lastName: 'Nasser',
      fullName: 'Huda Abu Nasser',
      email,
      isActive: true,
    })
    const audited = await auditOf(app, institute, 'invitations.accept')
    expect(audited).toContainEqual(expect.objectContaining({ entity_type: 'staff', entity_id: record.id }))
  })

  test('of one name alone has no last name; without joinsStaff there is no record', async () => {
    await accepted(await invite(), 'Huda')
    expect((await staff())[0]).toMatchObject({ firstName: 'Huda', lastName: '', fullName: 'Huda' })
    const before = (await staff()).length
    await accepted(await invite({ joinsStaff: false }), 'Rana Saleh')
    expect(await staff()).toHaveLength(before)
  })

  test('is invited by whoever may add to the staff', async () => {
    const { permissions: teacher = [] } = SYSTEM_ROLES.find(({ key }) => key === 'teacher') ?? {}
    const manager = await institute.member({ permissions: [...teacher, 'members.manage'] })
    const body = { email: freshEmail(), roleId: institute.roles.teacher, joinsStaff: true }
    expect(await manager.post('/members', body)).toMatchObject({
      status: 403,
      body: { error: { details: { reason: 'permission_missing', permissions: ['staff.write'] } } },
    })
    expect((await manager.post('/members', { ...body, joinsStaff: false })).status).toBe(201)
  })

  test('is invited to the staff of a branch by whoever may add to that one', async () => {
    const { branchId } = institute
    const { body: other } = await institute.owner.post('/branches', { name: 'Haifa' })
    const { permissions: teacher = [] } = SYSTEM_ROLES.find(({ key }) => key === 'teacher') ?? {}
    const manager = await institute.member({ permissions: [...teacher, 'members.manage'] })
    const { body: role } = await institute.owner.post('/roles', {
      name: 'Staff of a branch',
      permissions: ['staff.write'],
    })
    const given = [{ roleId: manager.roleId }, { roleId: role.id, branchId }]
    await institute.owner.put(`/members/${manager.membershipId}/roles`, { roles: given })
    const inviteTo = (to: string) =>
      manager.post('/members', { email: freshEmail(), roleId: institute.roles.teacher, branchId: to, joinsStaff: true })
    expect((await inviteTo(branchId)).status).toBe(201)
    expect(await inviteTo(other.id)).toMatchObject({
      status: 403,
      body: { error: { details: { reason: 'permission_missing', permissions: ['staff.write'] } } },
    })
  })

  describe('and is known by name already', () => {
    const byName = async (more: object = {}) => {
      const record = { branchId: institute.branchId, firstName: 'Rania', lastName: 'Khalil' }
      const { status, body } = await institute.owner.post('/staff', { ...record, ...more })
      expect(status).toBe(201)
      return body
    }

    test('has the account behind that record, and sees the groups that name it at once', async () => {
      const record = await byName()
      const groupId = await newGroup(institute, { teacherStaffId: record.id })
      const email = freshEmail()
      const { status, body } = await institute.owner.post(`/staff/${record.id}/invite`, { email })
      expect([status, body]).toEqual([
        201,
        { id: expect.any(String), email, expiresAt: expect.any(String), link: LINK },
      ])
      const before = (await staff()).length
      const userId = await accepted(email, 'Rania K')
      expect(await staff()).toHaveLength(before)
      expect((await institute.owner.get(`/staff/${record.id}`)).body).toMatchObject({
        userId,
        fullName: 'Rania Khalil',
        email: null,
        version: record.version + 1,
      })
      expect(await auditOf(app, institute, 'invitations.accept')).toContainEqual(
        expect.objectContaining({ entity_type: 'staff', entity_id: record.id }),
      )
      const signedIn = await app.post('/auth/login', { email, password: NEW.password, client: 'mobile' })
      const groups = await app.as(signedIn.body.accessToken).get('/groups')
      expect(groups.body.data).toMatchObject([{ id: groupId }])
      expect(await institute.owner.post(`/staff/${record.id}/invite`, { email: freshEmail() })).toMatchObject({
        status: 409,
        body: { error: { details: { reason: 'person_has_account' } } },
      })
    })

    test('is invited at the address of the record, as what is said and where', async () => {
      const email = freshEmail()
      const record = await byName({ email })
      const [roleId, branchIds] = [institute.roles.front_desk, [institute.branchId]]
      expect((await institute.owner.post(`/staff/${record.id}/invite`, { roleId, branchIds })).status).toBe(201)
      const { data } = (await institute.owner.get('/members?limit=100')).body
      expect(data.find((one: { email: string }) => one.email === email)).toMatchObject({
        status: 'invited',
        roles: [{ roleKey: 'front_desk', branchId: institute.branchId }],
      })
      expect(await institute.owner.post(`/staff/${(await byName()).id}/invite`)).toMatchObject({ status: 422 })
    })

    test('is 409 for an address that is invited, a member or disabled, and 403 for a role of more than one holds', async () => {
      const [email, record] = [freshEmail(), await byName()]
      const inviteTo = async (to: string) => {
        const { body } = await institute.owner.post(`/staff/${record.id}/invite`, { email: to })
        return body.error?.details.reason
      }
      await institute.owner.post(`/staff/${(await byName()).id}/invite`, { email })
      expect(await inviteTo(email)).toBe('already_invited')
      await accepted(email, 'Rania K')
      expect(await inviteTo(email)).toBe('already_member')
      const { data } = (await institute.owner.get('/members?limit=100')).body
      const { membershipId } = data.find((one: { email: string }) => one.email === email)
      await institute.owner.patch(`/members/${membershipId}`, { status: 'disabled' })
      expect(await inviteTo(email)).toBe('member_disabled')
      const manager = await institute.member({ permissions: ['members.manage', 'staff.write'] })
      const asOwner = { email: freshEmail(), roleId: institute.roles.owner }
      expect(await manager.post(`/staff/${record.id}/invite`, asOwner)).toMatchObject({
        status: 403,
        body: { error: { code: 'PERMISSION_ESCALATION' } },
      })
    })

    test('keeps the record without the account where another stands there by then', async () => {
      const record = await byName()
      const email = freshEmail()
      await institute.owner.post(`/staff/${record.id}/invite`, { email })
      const other = await institute.member({ permissions: ['groups.read'] })
      await linkAccount(app, 'staff', { id: record.id, userId: other.userId })
      await accepted(email, 'Rania Khalil')
      expect((await institute.owner.get(`/staff/${record.id}`)).body.userId).toBe(other.userId)
    })
  })

  test('comes in without a record where the plan has no room for one', async () => {
    await grant(app, institute, { quotas: { maxStaff: 0 } })
    const before = (await staff()).length
    await accepted(await invite(), 'Maha Awad')
    expect(await staff()).toHaveLength(before)
  })
})
