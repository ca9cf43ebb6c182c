import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { EVENTS } from '../../contract/events.ts'
import { OPERATIONS, type Operation } from '../../contract/operations.ts'
import { ROOT_ADDRESSES } from '../../contract/root.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const nameOf = ({ method, path: at }: Pick<Operation, 'method' | 'path'>): string => `${method} ${at}`

/** What is compared of an operation, as one line. */
const lineOf = ({ method, path: at, status, access, flag }: Omit<Operation, 'area'>): string => {
  const callers = typeof access === 'string' ? access : access.toSorted().join(' or ')
  return `${method} ${at} → ${status} for ${callers}${flag === undefined ? '' : `, with ${flag}`}`
}

describe('the operations of the contract', () => {
  test('are 481, each once', () => {
    expect(OPERATIONS).toHaveLength(481)
    expect(new Set(OPERATIONS.map(nameOf)).size).toBe(481)
  })

  test('contain every declared endpoint, with its status, callers and feature', () => {
    const below = app.app.endpoints.filter(({ path: at }) => !at.startsWith('//'))
    const declared = new Set(below.map(nameOf))
    const expected = OPERATIONS.filter((operation) => declared.has(nameOf(operation)))
    const differs = 'what the program declares (+) differs from its line in test/contract/operations.ts (-)'
    expect(below.map(lineOf).toSorted(), differs).toEqual(expected.map(lineOf).toSorted())
  })

  test('are all declared', () => {
    const declared = new Set(app.app.endpoints.map(nameOf))
    expect(OPERATIONS.map(nameOf).filter((name) => !declared.has(name))).toEqual([])
  })
})

test('the contract’s addresses at the server’s root all answer', async () => {
  const missing: string[] = []
  for (const address of ROOT_ADDRESSES) {
    const [method, at] = address.split(' ') as [string, string]
    const { status } = await app.send(method, `/${at}`)
    if (status === 404) missing.push(address)
  }
  expect(missing).toEqual([])
})

describe('the events of the contract', () => {
  test('can all be subscribed to, with their fields', async () => {
    const { body } = await app.get('/webhooks/events')
    const catalogue = body.data.map(({ type, fields }: { type: string; fields: string[] }) => [type, fields])
    expect(catalogue).toHaveLength(28)
    expect(Object.fromEntries(catalogue)).toEqual(EVENTS)
  })

  test('are all recorded somewhere', () => {
    const recorded = new Set(app.app.modules.flatMap(({ events = [] }) => events.map(String)))
    expect(Object.keys(EVENTS).filter((type) => !recorded.has(type))).toEqual([])
  })

  test('are recorded by the module that declares them, and by no other', () => {
    const said = app.app.modules.map(({ name, events = [] }) => [name, events.toSorted()] as const)
    const recordedIn = (module: string): string[] => {
      const folder = path.join('src/modules', module)
      if (!existsSync(folder)) return []
      const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(path.join(folder, file), 'utf8'))
      const types = sources.flatMap((source) => [...source.matchAll(/\bemit\(\s*'([\w.]+)'/g)].map(([, type]) => type!))
      return [...new Set(types)].toSorted()
    }
    const folders = readdirSync('src/modules').filter((folder) => recordedIn(folder).length > 0)
    expect(folders.map((folder) => [folder, recordedIn(folder)])).toEqual(
      said.filter(([, events]) => events.length > 0).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    )
  })
})
