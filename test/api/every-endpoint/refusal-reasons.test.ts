import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failuresOf } from '#http/replies/derived-failures.ts'
import { reasonsOf } from '#kernel/values/errors.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { operationsOf, type FullDocument } from '#kit/openapi/document.ts'

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

/** By status, the reasons that each refusal of it may have. */
const byStatus = (endpoint: TestApp['app']['endpoints'][number]) =>
  Map.groupBy(new Set(failuresOf(endpoint)), ({ spec }) => spec.status)

test('a client tells the refusals of one operation and status apart by code and reason', () => {
  const shared = app.app.endpoints.flatMap((endpoint) =>
    [...byStatus(endpoint)].flatMap(([status, failures]) => {
      const names = failures.flatMap(({ spec }) => (reasonsOf(spec) ?? [spec.name]).map((one) => `${spec.code} ${one}`))
      return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${endpoint.id} ${status} ${name}`)
    }),
  )
  expect(shared).toEqual([])
})

test('every conflict has a reason in snake_case', () => {
  const specs = app.app.endpoints.flatMap((endpoint) => failuresOf(endpoint).map(({ spec }) => spec))
  const conflicts = new Set(specs.filter(({ code }) => code === 'CONFLICT'))
  expect(conflicts.size).toBeGreaterThan(60)
  for (const spec of conflicts) {
    const reasons = reasonsOf(spec) ?? []
    expect(reasons, spec.name).not.toEqual([])
    for (const reason of reasons) expect(reason).toMatch(/^[a-z]+(_[a-z]+)*$/)
  }
})

test('a declared refusal carries its name as details.reason, beside its other details', async () => {
  const { owner, branchId } = institute
  const refused = await owner.delete(`/branches/${branchId}`)
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT', details: { reason: 'default_branch' } } },
  })
  const { body: student } = await owner.post('/students', { branchId, firstName: 'Lea', lastName: 'Levi' })
  const stale = await owner.patch(`/students/${student.id}`, { firstName: 'Maya', version: 7 })
  expect(stale.body.error.details).toEqual({ reason: 'version_conflict', expected: 7, current: 1 })
})

test('what follows from the declaration has no reason of its own', async () => {
  const missing = await institute.owner.get('/students/01890a5d-ac96-774b-bcce-b302099a8057')
  expect([missing.status, missing.body.error.details]).toEqual([404, undefined])
  const invalid = await institute.owner.post('/branches', { name: '' })
  expect(Object.keys(invalid.body.error.details)).toEqual(['issues'])
})

describe('the document', () => {
  test('lists the reasons of each status of an operation', async () => {
    const document = (await app.get('//openapi.json')).body as FullDocument
    const listed = new Map(
      operationsOf(document).map(({ operation: { operationId, responses } }) => [operationId, responses] as const),
    )
    // The addresses of OAuth have errors of their own, without reasons.
    for (const endpoint of app.app.endpoints.filter(({ forPeople, oauthErrors }) => !forPeople && !oauthErrors)) {
      for (const [status, failures] of byStatus(endpoint)) {
        const reasons = [...new Set(failures.flatMap(({ spec }) => reasonsOf(spec) ?? []))]
        const text = JSON.stringify(listed.get(endpoint.id)?.[status]?.content?.['application/json']?.schema)
        for (const reason of reasons) expect(text, `${endpoint.id} ${status}`).toContain(`"${reason}"`)
      }
    }
  })
})
