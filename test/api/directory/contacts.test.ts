import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { pdf } from '#kit/paper.ts'
import type { Paper, Papers } from '#ports/papers/port.ts'
import { create, newGroup, newPupil } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let groupId: string
/** What was printed last. */
let printed: Paper

beforeAll(async () => {
  app = await startApp({
    papers: (real: Papers) => ({
      ...real,
      print: (paper, logo) => {
        printed = paper
        return real.print(paper, logo)
      },
    }),
  })
  institute = await makeInstitute(app)
  groupId = await newGroup(institute, { name: 'Violin A' })
  const yara = await newPupil(institute, groupId, {
    firstName: 'يارا',
    lastName: 'حداد',
    phone: '052-765-4321',
    notes: 'Allergic to nuts',
  })
  await newParent(
    institute,
    yara,
    { firstName: 'سامي', lastName: 'حداد', phone: '050-111-2233' },
    { relationship: 'father' },
  )
  await newParent(
    institute,
    yara,
    { firstName: 'أمل', lastName: 'حداد', phone: '+970599123456' },
    { relationship: 'mother', isPrimary: true },
  )
  await newPupil(institute, groupId, { firstName: 'Zed', lastName: 'Alone' })
  const gone = await newPupil(institute, groupId, { firstName: 'Gone', lastName: 'Away' })
  const { data } = (await institute.owner.get(`/students/${gone}/enrollments`)).body
  await institute.owner.post(`/enrollments/${data[0].id}/drop`)
})
afterAll(() => app.close())

test('the contact list of a group has who is in it now, by name, and whom to call, the primary contact first', async () => {
  const { status, body } = await institute.owner.get(`/groups/${groupId}/contacts`)
  expect(status).toBe(200)
  expect(body.data).toMatchObject([
    { studentName: 'Zed Alone', phone: null, guardians: [] },
    {
      studentName: 'يارا حداد',
      phone: '+972527654321',
      guardians: [
        { fullName: 'أمل حداد', relationship: 'mother', phone: '+970599123456', isPrimary: true },
        { fullName: 'سامي حداد', relationship: 'father', phone: '+972501112233', isPrimary: false },
      ],
    },
  ])
  expect(JSON.stringify(body)).not.toContain('nuts')
  const pages = []
  for (let cursor = ''; ;) {
    const { body: page } = await institute.owner.get(`/groups/${groupId}/contacts?limit=1${cursor}`)
    pages.push(...page.data)
    if (page.nextCursor === null) break
    cursor = `&cursor=${page.nextCursor}`
  }
  expect(pages).toEqual(body.data)
})

test('as a file it has the numbers for machines, with who has them', async () => {
  const { body: text } = await institute.owner.get(`/groups/${groupId}/contacts?format=csv`)
  expect(text).toContain('+972501112233')
  expect(text).toContain('أمل حداد')
})

test.each([
  ['en', 'Contact list', 'Mother'],
  ['he', 'דף קשר', 'אם'],
  ['ar', 'قائمة هواتف الأهل', 'الأم'],
] as const)('as a paper in %s it has them as people write them', async (locale, title, mother) => {
  const { status } = await pdf(app, institute.owner, `/groups/${groupId}/contacts/pdf?locale=${locale}`)
  expect(status).toBe(200)
  const said = JSON.stringify(printed).replaceAll(/[\u2066-\u2069]/g, '')
  expect(printed.title).toBe(title)
  for (const part of ['050-111-2233', '0599-123-456', '052-765-4321', 'Zed Alone', mother]) expect(said).toContain(part)
  expect(said).not.toContain('nuts')
  expect(said).not.toContain('Gone')
})

test('the paper of a group without students says so; one out of reach is not found', async () => {
  const empty = await newGroup(institute)
  expect(await pdf(app, institute.owner, `/groups/${empty}/contacts/pdf`)).toMatchObject({ status: 200 })
  expect(JSON.stringify(printed)).toContain('Nobody is enrolled.')
  const other = await create(institute, '/branches', { name: 'Other', isDefault: false })
  const member = await institute.member({ permissions: ['guardians.read'], branchId: other })
  for (const path of ['contacts', 'contacts/pdf'])
    expect(await member.get(`/groups/${groupId}/${path}`)).toMatchObject({ status: 404 })
})
