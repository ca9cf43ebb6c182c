import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { assistantOf, assistantsOf, connectMcp, newKey, REVISIONS } from '#kit/mcp.ts'
import { permissionsOf } from '#http/admission/access.ts'
import { newGroup, newPupil } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  app = await startApp({ modules: [assistantsOf(() => app)] })
  institute = await makeInstitute(app, { features: { mcp: true } })
})
afterAll(() => app.close())

const tools = () =>
  app.app.endpoints.flatMap((endpoint) => (endpoint.tool ? [{ ...endpoint, tool: endpoint.tool }] : []))
const names = () => tools().map(({ tool }) => tool.name)

describe('tools', () => {
  test('have names of <subject>_<verb>, each once, and endpoints that reply with JSON', () => {
    expect(names()).toHaveLength(26)
    expect(new Set(names()).size).toBe(26)
    for (const name of names()) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/)
    for (const { id, gives, takes, ownAccount } of tools())
      expect([id, gives, takes, ownAccount]).toEqual([id, 'json', 'json', false])
  })

  test.each(REVISIONS)('say in the revision of %s what they take, give and do', async (revision) => {
    const { client } = await connectMcp(app, assistantOf(institute.owner), { revision })
    const { tools: listed } = await client.listTools()
    expect(listed.map(({ name }) => name)).toEqual(names())
    for (const { name, description, inputSchema, outputSchema, annotations } of listed) {
      expect([name, description!.length > 40]).toEqual([name, true])
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(JSON.stringify(inputSchema)).not.toContain('$ref')
      expect(JSON.stringify(outputSchema)).not.toContain('#/components')
      expect(Object.keys(outputSchema?.properties ?? {})).toEqual(
        expect.arrayContaining(['result', 'timezone', 'currency', 'writtenByPeople']),
      )
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
        expect([name, field, schema]).toEqual([
          name,
          field,
          expect.objectContaining({ description: expect.any(String) }),
        ])
      expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) })
    }
    const hints = Object.fromEntries(listed.map(({ name, annotations }) => [name, annotations]))
    expect(hints.students_find).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true })
    expect(hints.enrollment_drop).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: false })
    expect(hints.attendance_mark).toMatchObject({ readOnlyHint: false, idempotentHint: true })
    expect(hints.notification_send).toMatchObject({ readOnlyHint: false, openWorldHint: true })
  })

  test('take less than 82 KB to describe: whoever connects a model pays for each', async () => {
    const { client } = await connectMcp(app, assistantOf(institute.owner))
    expect(JSON.stringify((await client.listTools()).tools).length).toBeLessThan(82_000)
  })

  test('are listed for the permissions that the caller has, and no others', async () => {
    for (const role of ['teacher', 'front_desk', 'accountant'] as const) {
      const { body } = await institute.owner.get(`/roles/${institute.roles[role]}`)
      const permissions = [...body.permissions, 'mcp.access']
      const member = await institute.member({ permissions })
      const assistant = await connectMcp(app, assistantOf(member))
      const expected = tools()
        .filter(({ access, ownToo }) => {
          const needed = permissionsOf(access)
          const has = (one: string) => permissions.includes(one) || permissions.some((own) => isImplied(own, one))
          return needed.length === 0 || ownToo || needed.some(has)
        })
        .map(({ tool }) => tool.name)
      expect(await assistant.names()).toEqual(expected)
    }
  })

  test('are refused by name to whoever lacks the permission, and change nothing', async () => {
    const assistant = await connectMcp(app, assistantOf(await institute.member({ permissions: ['mcp.access'] })))
    const studentId = await newPupil(institute, await newGroup(institute))
    const groupId = await newGroup(institute)
    const { isError, text } = await assistant.call('enrollment_create', { studentId, groupId })
    expect(isError).toBe(true)
    expect(text).toMatch(/^FORBIDDEN: [^]*enrollments\.write/)
    expect((await institute.owner.get(`/groups/${groupId}/enrollments`)).body.data).toEqual([])
  })

  test('end with the permission: the next call is refused', async () => {
    const member = await institute.member({ permissions: ['mcp.access', 'students.read'] })
    const assistant = await connectMcp(app, assistantOf(member))
    expect((await assistant.call('students_find')).isError).toBe(false)
    await institute.owner.patch(`/roles/${member.roleId}`, { permissions: ['students.read'] })
    await expect(assistant.call('students_find')).rejects.toThrow(/mcp\.access|403/)
  })
})

/** A permission to write implies that to read. */
const isImplied = (own: string, one: string): boolean => `${own.split('.')[0]}.read` === one

describe('an API key with mcp.access', () => {
  test('calls tools with its own permissions, each change once for a key of its own', async () => {
    const studentId = await newPupil(institute, await newGroup(institute))
    const groupId = await newGroup(institute)
    const assistant = await connectMcp(app, await newKey(institute, ['mcp.access', 'enrollments.write']))
    expect(await assistant.names()).toContain('enrollment_create')
    expect(await assistant.names()).not.toContain('payment_record')
    const given = { studentId, groupId, idempotencyKey: 'enroll-1' }
    const [one, two] = [
      await assistant.call('enrollment_create', given),
      await assistant.call('enrollment_create', given),
    ]
    expect(one.text).toMatch(/^The student is enrolled/)
    expect(two.text).toMatch(/^This was done before/)
    expect(two.content.result).toEqual(one.content.result)
    const other = await assistant.call('enrollment_create', { ...given, groupId: await newGroup(institute) })
    expect(other.text).toMatch(/^IDEMPOTENCY_KEY_REUSED/)
    const { body } = await institute.owner.get(`/audit?action=enrollments.create&entityId=${one.content.result.id}`)
    expect(body.data).toEqual([expect.objectContaining({ actorType: 'api_key', channel: 'mcp' })])
  })
})

describe('lists', () => {
  test('come ten at a time, with a cursor for more', async () => {
    const groupId = await newGroup(institute)
    for (let made = 0; made < 12; made += 1) await newPupil(institute, groupId)
    const assistant = await connectMcp(app, assistantOf(institute.owner))
    const first = await assistant.call('roster_list', { groupId })
    expect(first.text).toMatch(/^10 records\./)
    const { data, nextCursor: cursor } = first.content.result
    expect(first.text).toContain(`call again with cursor "${cursor}"`)
    const rest = await assistant.call('roster_list', { groupId, cursor })
    expect([data.length, rest.content.result.data.length, rest.content.result.nextCursor]).toEqual([10, 2, null])
  })
})

describe('an institute that has not paid', () => {
  const set = (values: { locked_at?: string | null; writes_end_at?: string | null }) =>
    app.app.database.write((db) => db.updateTable('tenant').set(values).where('id', '=', institute.tenant.id).execute())

  test('is read after its subscription ended, and nothing in it is changed', async () => {
    const studentId = await newPupil(institute, await newGroup(institute))
    const groupId = await newGroup(institute)
    const assistant = await connectMcp(app, await newKey(institute, ['mcp.access', 'enrollments.write']))
    await set({ writes_end_at: '2026-01-01T00:00:00.000Z' })
    try {
      expect(await assistant.names()).not.toContain('enrollment_create')
      expect((await assistant.call('enrollment_create', { studentId, groupId })).text).toMatch(/^PAYMENT_REQUIRED/)
      expect((await assistant.call('roster_list', { groupId })).content.result.data).toEqual([])
    } finally {
      await set({ writes_end_at: null })
    }
  })

  test('is closed to assistants while it is locked', async () => {
    const assistant = await connectMcp(app, await newKey(institute, ['mcp.access', 'students.read']))
    await set({ locked_at: app.clock.now() })
    try {
      await expect(assistant.call('students_find')).rejects.toThrow(/SUBSCRIPTION_SUSPENDED/)
    } finally {
      await set({ locked_at: null })
    }
  })
})
