import path from 'node:path'
import { loadPyodide } from 'pyodide'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeTypes, pythonModels, typeFaults } from '#kit/generated-clients.ts'
import { operationsOf, type FullDocument } from '#kit/openapi/document.ts'
import { isNightly } from '#kit/volume.ts'

/** Clients that are generated from the server's own OpenAPI document, as integrators make them. */

let app: TestApp
let document: FullDocument
beforeAll(async () => {
  app = await startApp()
  document = (await app.get('//openapi.json')).body as FullDocument
})
afterAll(() => app.close())

test('openapi-typescript and openapi-fetch: the school day compiles, and runs', async () => {
  makeTypes(document)
  expect(typeFaults()).toBe('')
  const file = path.resolve('test/clients/school-day.ts')
  const { schoolDay } = (await import(/* @vite-ignore */ file)) as {
    schoolDay(url: string, setupToken: string): Promise<{ student: { id: string }; [of: string]: unknown }>
  }
  const { student, roster, invoice, refused, issuedTwice } = await schoolDay(app.url, app.app.setupToken.ensure())
  expect(student).toMatchObject({ studentNumber: 'S-000001', status: 'lead' })
  expect(roster).toMatchObject({ status: 'held', entries: [{ studentId: student.id, status: 'late', minutesLate: 5 }] })
  expect(invoice).toMatchObject({ status: 'paid', balance: { amountMinor: 0, currency: 'ILS' } })
  expect(refused).toEqual(['VALIDATION_ERROR', ['lastName']])
  expect(issuedTwice).toBe('This invoice was sent out already.')
}, 120_000)

// openapi-examples.test.ts compares the same examples with the same schemas.
test.runIf(isNightly)(
  'quicktype: classes of Python read the replies of all examples, and write them as they were',
  async () => {
    const models = await pythonModels(document)
    const replies = operationsOf(document).flatMap(({ operation: { responses } }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const { schema, example } = content?.['application/json'] ?? {}
        const name = status < '300' && example !== undefined ? schema?.$ref?.split('/').at(-1) : undefined
        return name === undefined ? [] : [[name, example]]
      }),
    )
    expect(replies.length).toBeGreaterThan(80)
    // Python itself, in WebAssembly: it is there wherever the tests run.
    const python = await loadPyodide()
    python.globals.set('replies', JSON.stringify(replies))
    python.runPython(models)
    const wrong = python.runPython(`
import json
classes = {name.lower(): it for name, it in globals().items() if isinstance(it, type)}
wrong = []
for name, value in json.loads(replies):
    try:
        back = classes[name.lower()].from_dict(value).to_dict()
        if back != value: wrong.append([name, value, back])
    except Exception as error:
        wrong.append([name, value, repr(error)])
json.dumps(wrong)
`) as string
    expect(JSON.parse(wrong)).toEqual([])
  },
  120_000,
)
