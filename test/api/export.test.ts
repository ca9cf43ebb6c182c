import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { fetchArchive, unzip } from '#kit/unzip.ts'

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
})
afterAll(() => app.close())

test('works', async () => {
  await school.owner.post('/students', { branchId: school.branchId, firstName: '=cmd', lastName: 'ليان' })
  const first = await school.owner.post('/export')
  expect(first).toMatchObject({ status: 200, body: { status: 'queued', progress: 0 } })
  await app.drain()
  const { body } = await school.owner.post('/export')
  console.log(body)
  const entries = await unzip(await fetchArchive(app, body.downloadUrl))
  console.log(
    [...entries.keys()],
    entries.get('manifest.json')!.toString().slice(0, 600),
    entries.get('csv/student.csv')!.toString(),
    entries.get('json/student.json')!.toString(),
  )
})
