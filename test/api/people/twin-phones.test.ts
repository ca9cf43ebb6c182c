import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { countsOf, imported, lines } from '../imports/importing.ts'

/** Palestinian mobiles are dialled under +970 and +972: whoever is looked for by a phone is found under both. */

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const guardian = (phone: string) => ({ firstName: 'Hala', lastName: 'Khoury', phone })
const add = (phone: string) => school.owner.post('/guardians', guardian(phone))
const taken = { error: { details: { reason: 'guardian_phone_taken' } } }

test('a guardian has the phone under both codes, as it was sent', async () => {
  const { status, body } = await add('+970599000001')
  expect([status, body.phone]).toEqual([201, '+970599000001'])
  // In Israel a national number takes +972.
  for (const phone of ['+972599000001', '059-900-0001']) expect((await add(phone)).body).toMatchObject(taken)
  const other = (await add('+972569000001')).body
  const refused = await school.owner.patch(`/guardians/${other.id}`, { phone: '+972599000001' })
  expect([refused.status, refused.body]).toMatchObject([409, taken])
  const changed = await school.owner.patch(`/guardians/${other.id}`, { phone: '+970569000001' })
  expect([changed.status, changed.body.phone]).toEqual([200, '+970569000001'])
  // Other numbers have one code each.
  expect([(await add('+970221234567')).status, (await add('+972221234567')).status]).toEqual([201, 201])
})

test('a registration links the guardian who is there, also of two at once', async () => {
  const known = (await add('+970599000002')).body
  const lead = async (phone: string) => {
    const body = { firstName: 'Layan', lastName: 'Khoury', phone, guardian: guardian(phone) }
    const { id } = (await school.owner.post('/leads', body)).body
    return school.owner.post(`/leads/${id}/convert`, { branchId: school.branchId })
  }
  const { status, body } = await lead('+972599000002')
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  expect((await school.owner.get(`/guardians/${known.id}`)).body.phone).toBe('+970599000002')
  expect((await school.owner.get('/guardians?q=0599000002')).body.data).toHaveLength(1)
  for (let n = 10; n < 16; n += 1) {
    await Promise.all([`+9705990000${n}`, `+9725990000${n}`].map(lead))
    expect((await school.owner.get(`/guardians?q=05990000${n}`)).body.data).toHaveLength(1)
  }
})

test('two at once with the two codes: one is added, and the other refused', async () => {
  for (let n = 20; n < 26; n += 1) {
    const both = await Promise.all([`+9705990000${n}`, `+9725990000${n}`].map(add))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  }
})

test('an import finds students, guardians and staff under the other code', async () => {
  const students = (code: string, more = '') =>
    imported(
      app,
      school.owner,
      lines(
        'Full name,Phone,Mother name,Mother phone',
        `עבד אללה סעד,${code}599000030,Hala Saad,${code}569000031`,
        more,
      ),
      { kind: 'students' },
    )
  expect(countsOf(await students('+970'))).toMatchObject({ created: 1 })
  // The name is spelled as one word too.
  const again = await imported(app, school.owner, lines('Full name,Mother phone', 'עבדאללה סעד,+972569000031'), {
    kind: 'students',
  })
  expect(countsOf(await students('+972'))).toMatchObject({ created: 0, unchanged: 0, updated: 1 })
  expect(countsOf(again)).toMatchObject({ created: 0 })
  expect((await school.owner.get('/guardians?q=0569000031')).body.data).toHaveLength(1)
  const staff = (code: string) =>
    imported(app, school.owner, lines('Full name,Phone', `Omar Aziz,${code}599000032`), { kind: 'staff' })
  expect(countsOf(await staff('+970'))).toMatchObject({ created: 1 })
  expect(countsOf(await staff('+972'))).toMatchObject({ created: 0 })
})

test('of two from before both codes counted as one, the one with exactly the phone is named first', async () => {
  const ids: string[] = []
  for (const phone of ['+970599000041', '+970221111111']) ids.push((await add(phone)).body.id)
  await app.app.database.write((db) =>
    db
      .updateTable('guardian')
      .set({ phone: '+972599000041' })
      .where('id', '=', ids[1] as string)
      .execute(),
  )
  for (const [at, phone] of ['+970599000041', '+972599000041'].entries()) {
    const { body } = await school.owner.post('/registrations', {
      guardian: { phone },
      relationship: 'mother',
      students: [{}],
      dryRun: true,
    })
    expect(body.knownGuardians.map(({ id }: { id: string }) => id)).toEqual([ids[at], ids[1 - at]])
  }
})
