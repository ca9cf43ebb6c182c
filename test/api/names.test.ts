import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { HOSTILE_TEXTS } from '#kit/fuzz/texts.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { eventsOf } from '#kit/records.ts'

/** Names are text, whatever is in them: they come back as they were sent, but for blanks around them, or are refused. */

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const isKept = (text: string): boolean =>
  text.trim() !== '' && text.trim().length <= 100 && text.isWellFormed() && !text.includes('\0')

const names = [
  ...new Set([...HOSTILE_TEXTS, 'נועה־לי', 'عَبْدُ ٱللّٰه', 'Zoë', "O'Neil", '李', 'x'.repeat(100), 'x'.repeat(101)]),
]
const kept = names.filter(isKept)
const refused = names.filter((text) => !isKept(text))

describe('the name of a student', () => {
  test.each(kept)('%j makes a round trip', async (name) => {
    const { owner, branchId } = institute
    const wanted = { firstName: name.trim(), lastName: name.trim(), fullName: `${name.trim()} ${name.trim()}` }
    const { status, body } = await owner.post('/students', { branchId, firstName: name, lastName: name })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject(wanted)
    expect((await owner.get(`/students/${body.id}`)).body).toMatchObject(wanted)
    expect((await owner.get('/students?limit=1')).body.data[0]).toMatchObject({ id: body.id, ...wanted })
    const { fullName: _, ...told } = wanted
    expect((await eventsOf(app, institute, 'student.created')).at(-1)).toMatchObject({ studentId: body.id, ...told })
    const changed = await owner.patch(`/students/${body.id}`, { firstName: 'Dana', notes: name })
    expect(changed.body).toMatchObject({ firstName: 'Dana', lastName: name.trim(), notes: name.trim() })
  })

  test.each(refused)('%j is 422', async (name) => {
    const { owner, branchId } = institute
    for (const field of ['firstName', 'lastName']) {
      const student = { branchId, firstName: 'Dana', lastName: 'Levi', [field]: name }
      const { status, body } = await owner.post('/students', student)
      expect(status).toBe(422)
      expect(body.error.details.issues[0].path).toEqual([field])
    }
  })

  test('composed and decomposed letters are kept apart, and found by either', async () => {
    const { owner, branchId } = await makeInstitute(app)
    for (const firstName of ['Zo\u00eb', 'Zoe\u0308'])
      await owner.post('/students', { branchId, firstName, lastName: 'Levi' })
    for (const q of ['Zo\u00eb', 'Zoe\u0308', 'zoe']) {
      const { body } = await owner.get(`/students?q=${encodeURIComponent(q)}`)
      expect(body.data.map(({ firstName }: { firstName: string }) => firstName)).toEqual(['Zoe\u0308', 'Zo\u00eb'])
    }
  })
})
