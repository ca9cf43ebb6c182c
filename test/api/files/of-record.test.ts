import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { uploaded } from '#kit/files.ts'
import { linkAccount } from '#kit/link-account.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newReport } from '../examples/progress-reports.ts'
import { newGroup } from '../examples/academics.ts'
import { newFamily, newStudent } from '../examples/people.ts'

let app: TestApp
let school: TestInstitute
let world: World
let north: string
beforeAll(async () => {
  app = await startApp({ config: NO_LIMITS })
  school = await makeInstitute(app)
  world = worldOf(app, school)
  north = (await school.owner.post('/branches', { name: 'North' })).body.id
})
afterAll(() => app.close())

const FORBIDDEN = { status: 403, body: { error: { code: 'FORBIDDEN' } } }
const MISSING = { status: 404, body: { error: { code: 'NOT_FOUND' } } }

const attach = async (entityType: string, entityId: string): Promise<string> =>
  (await uploaded(app, school.owner, { entityType, entityId })).body.id

describe('the files of a record', () => {
  const of = (type: string, id: string, client: Client = school.owner) => client.get(`/files/of/${type}/${id}`)
  const ids = async (type: string, id: string, client?: Client) =>
    (await of(type, id, client)).body.data.map((file: { id: string }) => file.id)

  test('are listed newest first, each as it is read by itself, and none of another record', async () => {
    const [id, other] = [await newStudent(world), await newStudent(world)]
    const files = [await attach('student', id), await attach('student', id)]
    await attach('student', other)
    expect(await ids('student', id)).toEqual(files.toReversed())
    const { body } = await of('student', id)
    expect(body.data[0]).toEqual((await school.owner.get(`/files/${files[1]}`)).body)
    expect(await ids('group', await newGroup(world))).toEqual([])
    expect(await of('student', newId())).toMatchObject(MISSING)
    expect((await of('lesson', id)).status).toBe(422)
  })

  test('are those that the caller reaches; families list those of their own student alone', async () => {
    const { id, guardianId } = await newFamily(world)
    const file = await attach('student', id)
    const clerk = (branchId: string) => school.member({ permissions: ['files.read'], branchId })
    expect(await ids('student', id, await clerk(school.branchId))).toEqual([file])
    expect(await of('student', id, await clerk(north))).toMatchObject(MISSING)
    const parent = await school.member({ role: 'guardian' })
    expect(await of('student', id, parent)).toMatchObject(FORBIDDEN)
    await linkAccount(app, 'guardian', { id: guardianId, userId: parent.userId })
    expect(await ids('student', id, parent)).toEqual([file])
    expect(await of('guardian', guardianId, parent)).toMatchObject(FORBIDDEN)
    const reportId = await newReport(world, { studentId: id })
    const paper = await attach('progress_report', reportId)
    expect(await of('progress_report', reportId, parent)).toMatchObject(FORBIDDEN)
    await school.owner.post(`/progress-reports/${reportId}/send`)
    expect(await ids('progress_report', reportId, parent)).toEqual([paper])
  })
})
