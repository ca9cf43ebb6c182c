import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { LONG_TOKENS } from '#kit/take-attendance.ts'
import { newReport } from '../examples/progress-reports.ts'
import { newGroup, newPupil, newStaff } from '../examples/sessions.ts'

/** Who hears that reports wait to be read over, and that one came back. */

let app: TestApp
let institute: TestInstitute
let owner: Client
let teacher: TestMember
let groupId: string

beforeAll(async () => {
  app = await startApp({ config: LONG_TOKENS })
})
beforeEach(async () => {
  institute = await makeInstitute(app)
  owner = institute.owner
  await owner.patch('/settings', { reportsApproval: true })
  teacher = await institute.member({ role: 'teacher' })
  groupId = await newGroup(institute, {
    name: 'Algebra 1',
    teacherStaffId: await newStaff(institute, { userId: teacher.userId }),
  })
})
afterAll(() => app.close())

interface Entry {
  templateKey: string
  title: string
  body: string
  payload: Record<string, string>
}

const inbox = async (member: Client): Promise<Entry[]> => {
  await app.drain()
  return (await member.get('/me/notifications')).body.data
}
const drafts = async (count: number, group = groupId): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    ids.push(await newReport(institute, { studentId: await newPupil(institute, group), groupId: group }))
  }
  return ids
}
const submit = (ids: readonly string[]) => teacher.post('/progress-reports/submit', { ids })

describe('who reads reports over', () => {
  test('is told once of all that was handed in together, and nobody else is', async () => {
    const reader = await institute.member({ role: 'branch_manager', branchId: institute.branchId })
    const { body: north } = await owner.post('/branches', { name: 'North' })
    const far = await institute.member({ role: 'branch_manager', branchId: north.id })
    const ids = await drafts(3)
    expect((await submit(ids)).body.done).toEqual(ids)
    for (const one of [owner, reader]) {
      const entries = await inbox(one)
      expect(entries).toMatchObject([{ templateKey: 'progress_reports.submitted', payload: { groupId } }])
      expect(entries[0]?.title).toContain('3')
      expect(entries[0]?.body).toContain('Algebra 1')
    }
    for (const one of [far, teacher]) expect(await inbox(one)).toEqual([])
  })

  test('hears nothing where nothing was handed in: what waits already, or is gone', async () => {
    const ids = await drafts(1)
    await submit(ids)
    await submit([...ids, '01890a5d-ac96-774b-bcce-b302099a8057'])
    expect(await inbox(owner)).toHaveLength(1)
  })

  test('and handed them in themself is not told of it', async () => {
    const ids = await drafts(1)
    await owner.post('/progress-reports/submit', { ids })
    expect(await inbox(owner)).toEqual([])
  })
})

describe('whoever handed a report in', () => {
  test('is told that it came back, and why', async () => {
    const [id = ''] = await drafts(1)
    await submit([id])
    await owner.post(`/progress-reports/${id}/return`, { remark: 'Say what Dana can practise' })
    const entries = await inbox(teacher)
    expect(entries).toMatchObject([{ templateKey: 'progress_report.returned', payload: { progressReportId: id } }])
    expect(entries[0]?.body).toContain('Say what Dana can practise')
    expect(await inbox(owner)).toHaveLength(1)
  })

  test('is whoever did it last', async () => {
    const [id = ''] = await drafts(1)
    const other = await institute.member({ role: 'admin' })
    await submit([id])
    await owner.post(`/progress-reports/${id}/return`, { remark: 'Early' })
    await other.post('/progress-reports/submit', { ids: [id] })
    await owner.post(`/progress-reports/${id}/return`, { remark: 'Late' })
    expect((await inbox(teacher)).filter(({ templateKey }) => templateKey === 'progress_report.returned')).toHaveLength(
      1,
    )
    expect((await inbox(other)).map(({ templateKey }) => templateKey)).toContain('progress_report.returned')
  })
})
