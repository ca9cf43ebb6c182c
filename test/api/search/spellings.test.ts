import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

/** One name in several spellings, in the index of both engines: test/unit/kernel/names.test.ts has all of them. */

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const SPELLINGS: readonly (readonly string[])[] = [
  ['רמב״ם', 'רמב"ם', 'רמבם'],
  ['ג׳ורג׳', "ג'ורג'", 'גורג'],
  ['בן־ציון', 'בן ציון', 'בנציון'],
  ['אבו גל', 'אבוגל'],
  ['عبد الله', 'عبدالله', 'عبدﷲ'],
  ['أبو طه', 'ابوطه'],
  ['نور الدين', 'نورالدين'],
  ["O'Brien", 'OBrien', 'O Brien'],
]

const LISTS = ['students', 'guardians', 'staff', 'leads', 'groups']

const idsOf = async (path: string, q: string): Promise<string[]> => {
  const { status, body } = await school.owner.get(`${path}?limit=10&q=${encodeURIComponent(q)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return (body.data as { id: string }[]).map(({ id }) => id)
}

test('each spelling of a name finds each other, in the lists and in the search over all', async () => {
  const { owner, branchId } = school
  const categoryId = (await owner.post('/course-categories', { name: 'All', slug: 'all' })).body.id as string
  let phone = 500_000_000
  for (const spellings of SPELLINGS) {
    const ids: Record<string, string[]> = {}
    const add = async (path: string, body: object): Promise<void> => {
      const reply = await owner.post(`/${path}`, body)
      expect(reply.status, JSON.stringify(reply.body)).toBe(201)
      ;(ids[path] ??= []).push(reply.body.id)
    }
    for (const firstName of spellings) {
      const person = { firstName, lastName: 'Levi', phone: `+972${(phone += 1)}` }
      await add('students', { ...person, branchId })
      await add('guardians', person)
      await add('staff', { ...person, branchId })
      await add('leads', person)
      await add('courses', { categoryId, name: firstName })
      await add('groups', { courseId: ids['courses']?.[0], branchId, name: firstName })
    }
    for (const typed of spellings) {
      for (const path of LISTS) {
        expect((await idsOf(`/${path}`, typed)).toSorted(), `${path} ${typed}`).toEqual(ids[path]?.toSorted())
      }
      const { results } = (await owner.get(`/search?limit=10&q=${encodeURIComponent(typed)}`)).body as {
        results: { id: string }[]
      }
      const { leads: _, ...searched } = ids
      expect(results.map(({ id }) => id).toSorted(), typed).toEqual(Object.values(searched).flat().toSorted())
    }
  }
}, 120_000)

test('a word of two letters does not stand within others, and what is exactly typed comes first', async () => {
  const { owner, branchId } = await makeInstitute(app)
  const add = async (firstName: string, lastName: string): Promise<void> => {
    expect((await owner.post('/students', { branchId, firstName, lastName })).status).toBe(201)
  }
  for (const name of ['ירדן', 'אבידן', 'דניאל', 'דן']) await add(name, 'בן דוד')
  const labels = async (q: string) =>
    ((await owner.get(`/search?q=${encodeURIComponent(q)}`)).body.results as { label: string }[]).map(
      ({ label }) => label,
    )
  expect(await labels('דן')).toEqual(['דן בן דוד', 'דניאל בן דוד'])
  expect(await labels('דן בן־דוד')).toEqual(['דן בן דוד', 'דניאל בן דוד'])
  expect((await labels('בנדוד')).length).toBe(4)
  expect(await labels('לי')).toEqual([])
})

test('a phone is found by Arabic digits, and a Palestinian one under both codes', async () => {
  const { owner, branchId } = school
  const added = async (phone: string) =>
    (await owner.post('/students', { branchId, firstName: 'Rami', lastName: 'Zaki', phone })).body.id as string
  const [jawwal, ooredoo] = [await added('+970599111222'), await added('+972569111222')]
  for (const typed of ['+972599111222', '+970 599 111 222', '0599-111-222', '٠٥٩٩١١١٢٢٢', '972599111222']) {
    expect(await idsOf('/students', typed), typed).toEqual([jawwal])
  }
  for (const typed of ['+970 56 911 1222', '+972569111222']) {
    expect(await idsOf('/students', typed), typed).toEqual([ooredoo])
  }
  expect((await owner.get(`/students/${jawwal}`)).body.phone).toBe('+970599111222')
})
