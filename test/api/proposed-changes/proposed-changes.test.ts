import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newFamily, newParent, type TestFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { auditOf } from '#kit/records.ts'
import { LONG_TOKENS } from '#kit/take-attendance.ts'
import { newPhone } from '../examples/people.ts'
import { newPupil } from '../examples/sessions.ts'

/** What families see of themselves, what they propose to change, and what the office makes of it. */

let app: TestApp
let institute: TestInstitute
let owner: Client
let desk: TestMember
let family: TestFamily
let mother: TestMember

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: LONG_TOKENS })
})
beforeEach(async () => {
  institute = await makeInstitute(app)
  owner = institute.owner
  desk = await institute.member({ role: 'front_desk' })
  family = await newFamily(institute, { phone: '050-111-2233', notes: 'Nobody but staff reads this' })
  mother = await account('guardian', family.motherId)
})
afterAll(() => app.close())

const account = async (of: 'guardian' | 'student', id: string): Promise<TestMember> => {
  const member = await institute.member({ role: of })
  await linkAccount(app, of, { id, userId: member.userId })
  return member
}

const propose = (by: Client, body: object) => by.post('/me/proposed-changes', body)
const ofChild = (changes: object, more: object = {}) => ({ studentId: family.studentId, changes, ...more })
const records = async (of: Client) => (await of.get('/me/details')).body.records
const child = async (of: Client) =>
  (await records(of)).find(({ studentId }: { studentId: string | null }) => studentId === family.studentId)
const open = async (of: Client = desk) => (await of.get('/proposed-changes')).body.data
const decide = (how: 'accept' | 'decline', { id, seen }: { id: string; seen: string }, body: object = {}) =>
  desk.post(`/proposed-changes/${id}/${how}`, { seen, ...body })
const student = async () => (await owner.get(`/students/${family.studentId}`)).body
const refused = (status: number, reason: string) => ({ status, body: { error: { details: { reason } } } })
const atField = (...path: string[]) => ({ status: 422, body: { error: { details: { issues: [{ path }] } } } })
const inbox = async (of: Client): Promise<{ templateKey: string; body: string; payload: object }[]> => {
  await app.drain()
  return (await of.get('/me/notifications')).body.data
}
const proposals = async (of: Client) =>
  (await inbox(of)).filter(({ templateKey }) => templateKey.startsWith('details.'))

describe('GET /me/details', () => {
  test('shows a guardian themself and the child, and nothing that staff note', async () => {
    const [self, noor, ...others] = await records(mother)
    expect(others).toEqual([])
    expect(self).toMatchObject({ guardianId: family.motherId, studentId: null, isOwn: true, proposal: null })
    expect(self.details).toMatchObject({ firstName: 'Hala', email: 'mother@example.org', birthDate: null })
    // One signs in with the account's address, which the account's own page is about.
    expect(self.fields).toEqual(['firstName', 'lastName', 'phone', 'nationalId', 'address'])
    expect(noor).toMatchObject({ studentId: family.studentId, isOwn: false, fullName: 'Noor Haddad' })
    expect(noor.details.phone).toBe('+972501112233')
    expect(noor.fields).toContain('email')
    expect(JSON.stringify([self, noor])).not.toContain('Nobody but staff')
    const pupil = await account('student', family.studentId)
    expect(await records(pupil)).toMatchObject([{ studentId: family.studentId, isOwn: true, fields: [] }])
    expect((await child(mother)).fields).not.toContain('email')
    expect(await records(desk)).toEqual([])
  })

  test('shows a parent apart nothing of the child of whom they may see the money alone', async () => {
    const father = await account('guardian', family.fatherId)
    expect(await child(father)).toBeDefined()
    await owner.patch(`/students/${family.studentId}/guardians/${family.fatherId}`, { seesLearning: false })
    expect(await child(father)).toBeUndefined()
    expect((await propose(father, ofChild({ firstName: 'Nur' }))).status).toBe(404)
  })

  test('says of each parent’s proposals to that parent alone', async () => {
    const father = await account('guardian', family.fatherId)
    expect((await propose(mother, ofChild({ firstName: 'Nur' }, { note: 'As in her passport' }))).status).toBe(201)
    expect((await child(mother)).proposal).toMatchObject({ status: 'open', note: 'As in her passport' })
    expect((await child(father)).proposal).toBeNull()
    expect((await propose(father, ofChild({ firstName: 'Nour' }))).status).toBe(201)
    expect(await open()).toMatchObject([{ relationship: 'mother' }, { relationship: 'father' }])
  })
})

describe('who proposes', () => {
  test('is a student of age, or without a guardian, and not a child', async () => {
    const pupil = await account('student', family.studentId)
    expect(await propose(pupil, ofChild({ firstName: 'Nur' }))).toMatchObject(atField('changes', 'firstName'))
    await owner.patch(`/students/${family.studentId}`, { birthDate: '2008-03-03' })
    expect((await propose(pupil, ofChild({ firstName: 'Nur' }))).status).toBe(422)
    await owner.patch(`/students/${family.studentId}`, { birthDate: '2008-03-02' })
    expect((await propose(pupil, ofChild({ firstName: 'Nur' }))).status).toBe(201)
    const alone = await newPupil(institute, family.groupId)
    const grown = await account('student', alone)
    expect((await propose(grown, { studentId: alone, changes: { firstName: 'Lone' } })).status).toBe(201)
  })

  test('says nothing of another family’s child, nor of another guardian', async () => {
    const stranger = await newPupil(institute, family.groupId)
    for (const about of [{ studentId: stranger }, { guardianId: family.fatherId }, { studentId: randomUUID() }]) {
      expect((await propose(mother, { ...about, changes: { firstName: 'X' } })).status).toBe(404)
    }
    expect(await propose(mother, { changes: { firstName: 'X' } })).toMatchObject(atField('studentId'))
    const { id } = (await propose(mother, ofChild({ firstName: 'Nur' }))).body
    const father = await account('guardian', family.fatherId)
    expect((await father.delete(`/me/proposed-changes/${id}`)).status).toBe(404)
  })

  test('is told at the field what cannot be, and that nothing differs', async () => {
    expect(await propose(mother, ofChild({ phone: 'call me' }))).toMatchObject(atField('phone'))
    expect(await propose(mother, ofChild({ birthDate: '2027-01-01' }))).toMatchObject(atField('birthDate'))
    expect(await propose(mother, ofChild({ phone: '0501112233' }))).toMatchObject(atField('changes'))
    const own = { guardianId: family.motherId }
    expect(await propose(mother, { ...own, changes: { email: 'new@example.org' } })).toMatchObject(
      atField('changes', 'email'),
    )
    expect(await propose(mother, { ...own, changes: { phone: null } })).toMatchObject(atField('changes', 'phone'))
    expect((await propose(mother, ofChild({ notes: 'x' }))).status).toBe(422)
  })

  test('replaces what was proposed before, and takes it back', async () => {
    const first = await propose(mother, ofChild({ firstName: 'Nur' }))
    const second = await propose(mother, ofChild({ phone: '050-111-2234' }))
    expect(second.body.id).toBe(first.body.id)
    expect(await open()).toMatchObject([{ fields: ['phone'], proposed: { firstName: 'Noor', phone: '+972501112234' } }])
    // The office hears once.
    expect(await proposals(desk)).toMatchObject([{ templateKey: 'details.proposed' }])
    expect((await mother.delete(`/me/proposed-changes/${first.body.id}`)).body).toEqual({ ok: true })
    expect(await open()).toEqual([])
    expect((await child(mother)).proposal).toBeNull()
    expect(await mother.delete(`/me/proposed-changes/${first.body.id}`)).toMatchObject(
      refused(409, 'proposal_not_open'),
    )
    const withdrawn = (await desk.get('/proposed-changes?status=withdrawn')).body.data
    expect(await decide('accept', withdrawn[0])).toMatchObject(refused(409, 'proposal_not_open'))
  })

  test('sends it again after a cut line, or twice at once, and there is one', async () => {
    const sent = { headers: { 'idempotency-key': randomUUID() }, body: ofChild({ firstName: 'Nur' }) }
    const one = await mother.send('POST', '/me/proposed-changes', sent)
    expect((await mother.send('POST', '/me/proposed-changes', sent)).body).toEqual(one.body)
    await Promise.all(Array.from({ length: 4 }, (_, n) => propose(mother, ofChild({ lastName: `Haddad ${n}` }))))
    expect(await open()).toHaveLength(1)
    await app.drain()
    expect(await proposals(desk)).toHaveLength(1)
  })

  test('is refused after many in an hour', async () => {
    const statuses = []
    for (let n = 0; n < 31; n += 1) statuses.push((await propose(mother, ofChild({ firstName: `N${n}` }))).status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('the office', () => {
  test('takes over all of it, by the rules of editing by hand, and both are told', async () => {
    const address = { line1: 'شارع النبي 5', city: 'حيفا' }
    await propose(mother, ofChild({ phone: '٠٥٠-١١١-٢٢٣٤', address }, { note: 'We have moved' }))
    const [proposal] = await open()
    expect(proposal).toMatchObject({
      studentId: family.studentId,
      fullName: 'Noor Haddad',
      byUserId: mother.userId,
      relationship: 'mother',
      note: 'We have moved',
      fields: ['phone', 'address'],
      stands: { phone: '+972501112233', address: null },
      proposed: { phone: '+972501112234', address },
      changedSince: [],
    })
    expect((await proposals(desk))[0]?.body).toContain('Noor Haddad')
    const accepted = await decide('accept', proposal, { remark: 'Thank you' })
    expect(accepted).toMatchObject({ status: 200, body: { status: 'accepted', acceptedFields: ['phone', 'address'] } })
    expect(await student()).toMatchObject({ phone: '+972501112234', address, firstName: 'Noor', version: 2 })
    expect((await child(mother)).proposal).toMatchObject({ status: 'accepted', remark: 'Thank you' })
    const [told] = await proposals(mother)
    expect(told).toMatchObject({ templateKey: 'details.accepted', payload: { studentId: family.studentId } })
    expect(told?.body).toContain('Thank you')
    expect(await open()).toEqual([])
    expect(await decide('decline', proposal, { remark: 'No' })).toMatchObject(refused(409, 'proposal_not_open'))
    const entries = await auditOf(app, institute, 'proposed-changes.accept')
    expect(entries.map(({ entity_type: type }) => type).toSorted()).toEqual(['proposed_change', 'student'])
  })

  test('takes over a field, and the rest stays', async () => {
    await propose(mother, ofChild({ firstName: 'Nur', lastName: 'Hadad' }))
    const [proposal] = await open()
    expect(await decide('accept', proposal, { fields: ['phone'] })).toMatchObject(atField('fields'))
    expect((await decide('accept', proposal, { fields: ['lastName'] })).status).toBe(200)
    expect(await student()).toMatchObject({ firstName: 'Noor', lastName: 'Hadad' })
    expect((await child(mother)).proposal).toMatchObject({
      fields: ['firstName', 'lastName'],
      acceptedFields: ['lastName'],
    })
  })

  test('declines with a word, which the family is told', async () => {
    await propose(mother, ofChild({ firstName: 'Nur' }))
    const [proposal] = await open()
    expect((await decide('decline', proposal)).status).toBe(422)
    expect((await decide('decline', proposal, { remark: 'Please bring her passport' })).status).toBe(200)
    expect((await student()).firstName).toBe('Noor')
    const [told] = await proposals(mother)
    expect(told).toMatchObject({ templateKey: 'details.declined' })
    expect(told?.body).toContain('Please bring her passport')
  })

  test('overwrites nothing that changed since it looked, and sees it anew', async () => {
    await propose(mother, ofChild({ phone: '0501112234', firstName: 'Nur' }))
    const [looked] = await open()
    await owner.patch(`/students/${family.studentId}`, { phone: '0501112235' })
    expect(await decide('accept', looked)).toMatchObject(refused(409, 'proposal_changed'))
    expect((await student()).phone).toBe('+972501112235')
    const [anew] = await open()
    expect(anew).toMatchObject({ changedSince: ['phone'], stands: { phone: '+972501112235' } })
    // Another proposal took its place meanwhile.
    await propose(mother, ofChild({ firstName: 'Nour' }))
    expect(await decide('accept', anew)).toMatchObject(refused(409, 'proposal_changed'))
    const declined = await decide('decline', anew, { remark: 'Please bring her passport' })
    expect(declined).toMatchObject(refused(409, 'proposal_changed'))
    // What changed elsewhere in the record is nothing to the proposal.
    const [latest] = await open()
    await owner.patch(`/students/${family.studentId}`, { notes: 'Another note' })
    expect((await decide('accept', latest)).status).toBe(200)
  })

  test('two of it decide at once: one does', async () => {
    await propose(mother, ofChild({ firstName: 'Nur' }))
    const [proposal] = await open()
    const replies = await Promise.all([
      decide('accept', proposal),
      decide('decline', proposal, { remark: 'No' }),
      decide('accept', proposal),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  test('is warned of a phone that another guardian has', async () => {
    const phone = newPhone()
    await newParent(institute, family.studentId, { phone })
    expect((await propose(mother, { guardianId: family.motherId, changes: { phone } })).status).toBe(201)
    const [proposal] = await open()
    expect(proposal).toMatchObject({ guardianId: family.motherId, relationship: null, fullName: 'Hala Haddad' })
    expect(await decide('accept', proposal)).toMatchObject(refused(409, 'guardian_phone_taken'))
    expect(await open()).toHaveLength(1)
    // By hand the phone may be mended before; then there is nothing against it.
    await propose(mother, { guardianId: family.motherId, changes: { phone: newPhone(), nationalId: '012345674' } })
    expect((await decide('accept', (await open())[0])).status).toBe(200)
    expect((await owner.get(`/guardians/${family.motherId}`)).body.nationalId).toBe('012345674')
  })

  test('sees and decides what is of its branches, and of the records that it may change', async () => {
    const { id: north } = (await owner.post('/branches', { name: 'North' })).body
    const far = await institute.member({ role: 'front_desk', branchId: north })
    const near = await institute.member({ role: 'front_desk', branchId: institute.branchId })
    const teacher = await institute.member({ role: 'teacher' })
    await propose(mother, ofChild({ firstName: 'Nur' }))
    await propose(mother, { guardianId: family.motherId, changes: { lastName: 'Hadad' } })
    expect(await open(near)).toHaveLength(2)
    expect(await open(far)).toEqual([])
    expect((await teacher.get('/proposed-changes')).status).toBe(403)
    const [proposal] = await open()
    const { id, seen } = proposal
    expect((await far.post(`/proposed-changes/${id}/accept`, { seen })).status).toBe(404)
    const half = await institute.member({ permissions: ['guardians.write'] })
    expect(await open(half)).toMatchObject([{ guardianId: family.motherId }])
    expect((await half.post(`/proposed-changes/${id}/accept`, { seen })).status).toBe(404)
    const page = (await desk.get('/proposed-changes?limit=1')).body
    expect(page.data).toMatchObject([{ studentId: family.studentId }])
    expect((await desk.get(`/proposed-changes?limit=1&cursor=${page.nextCursor}`)).body).toMatchObject({
      data: [{ guardianId: family.motherId }],
      nextCursor: null,
    })
    for (const [branchId, count] of [
      [institute.branchId, 2],
      [north, 0],
    ] as const) {
      expect((await desk.get(`/proposed-changes?branchId=${branchId}`)).body.data).toHaveLength(count)
      expect((await desk.get(`/dashboard/attention?branchId=${branchId}`)).body.proposedChanges).toBe(count)
    }
    const countOf = async (who: Client) => (await who.get('/dashboard/attention')).body.proposedChanges
    expect([await countOf(near), await countOf(far), await countOf(half), await countOf(teacher)]).toEqual([
      2,
      0,
      1,
      null,
    ])
    expect((await proposals(far)).length).toBe(0)
    expect((await proposals(near)).length).toBe(2)
  })
})

describe('a record that goes', () => {
  test('takes the proposals along, into another one or away', async () => {
    const { body: twin } = await owner.post('/students', {
      branchId: institute.branchId,
      firstName: 'Noor',
      lastName: 'Haddad',
    })
    await propose(mother, ofChild({ firstName: 'Nur' }))
    const merged = await owner.post(`/students/${twin.id}/merge`, { otherId: family.studentId })
    expect(merged.body.moves).toContainEqual({ what: 'proposed_change', count: 1 })
    const [moved] = await open()
    expect(moved).toMatchObject({ studentId: twin.id, proposed: { firstName: 'Nur' } })
    expect((await decide('accept', moved)).status).toBe(200)

    const gone = (
      await owner.post('/students', { branchId: institute.branchId, firstName: 'Added', lastName: 'By mistake' })
    ).body.id
    const link = { guardianId: family.motherId, relationship: 'mother', isPrimary: false, isPayer: false }
    await owner.post(`/students/${gone}/guardians`, link)
    await propose(mother, { studentId: gone, changes: { firstName: 'Other' } })
    expect(await open()).toHaveLength(1)
    expect((await owner.delete(`/students/${gone}`)).status).toBe(200)
    expect(await open()).toEqual([])
  })

  test('of a guardian who may not see the child any more, nobody tells them what became of it', async () => {
    await propose(mother, ofChild({ firstName: 'Nur' }))
    const link = { seesLearning: false, seesMoney: true }
    await owner.patch(`/students/${family.studentId}/guardians/${family.motherId}`, link)
    expect((await decide('accept', (await open())[0])).status).toBe(200)
    expect(await proposals(mother)).toEqual([])
  })
})
