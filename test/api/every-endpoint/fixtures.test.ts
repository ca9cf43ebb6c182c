import { expect, test } from 'vitest'
import { startApp } from '#kit/app.ts'
import { loadFixtures } from '#kit/fixtures.ts'

const app = await startApp()
const { modules, endpoints } = app.app
await app.close()
const fixtures = await loadFixtures()

test('for every table of an institute, its module says which rows it has, or why it has few', () => {
  const missing = modules.flatMap(({ name, tables = {} }) =>
    Object.entries(tables).flatMap(([table, { kind }]) =>
      kind === 'tenant' && fixtures[name]?.tables[table] === undefined
        ? [`test/fixtures/${name}.ts says nothing of the table ${table}`]
        : [],
    ),
  )
  expect(missing).toEqual([])
})

test('each module speaks only of its own tables, and of tables that exist', () => {
  const strange = Object.entries(fixtures).flatMap(([name, { tables, filters = {} }]) => {
    const module = modules.find((one) => one.name === name)
    return [
      ...(module ? [] : [`there is no module ${name}`]),
      ...Object.keys(tables).filter((table) => !(table in (module?.tables ?? {}))),
      ...Object.keys(filters).filter((id) => !module?.endpoints?.some((endpoint) => endpoint.id === id)),
    ]
  })
  expect(strange).toEqual([])
  expect(endpoints.length).toBeGreaterThan(100)
})
