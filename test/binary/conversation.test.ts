import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectMcp, REVISIONS } from '#kit/mcp.ts'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { newGroup, newPupil, newSession } from '../api/examples/sessions.ts'
import { startMcpProgram, type McpProgram } from './mcp-program.ts'
import { makeFolder } from './program.ts'

/** Makes the settings of an engine. @returns them, and what ends the engine */
const ENGINES = {
  SQLite: async () => ({ env: {}, stop: async () => {} }),
  Postgres: async () => {
    const postgres = await startPostgres()
    const { url } = await createDatabase(postgres.adminUrl)
    return { env: { INSTITUTE_DATABASE_URL: url }, stop: () => postgres.stop() }
  },
}

describe.each(Object.entries(ENGINES))('the packaged program on %s', (_, open) => {
  const folder = makeFolder()
  let program: McpProgram
  let stop: () => Promise<void>
  beforeAll(async () => {
    const engine = await open()
    stop = engine.stop
    program = await startMcpProgram(folder, engine.env)
  })
  afterAll(async () => {
    await program.server.stop('SIGKILL')
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(REVISIONS)(
    'lists the sessions of today to an assistant that was let in, which marks one and stands in the audit log, in the revision of %s',
    async (revision) => {
      const { owner, assistant: grant } = program
      const groupId = await newGroup(program)
      const studentId = await newPupil(program, groupId, { firstName: 'Dana', lastName: 'Levi' })
      const start = Date.now() + 1000
      const sessionId = await newSession(program, groupId, {
        scheduledStart: new Date(start).toISOString(),
        scheduledEnd: new Date(start + 3_600_000).toISOString(),
      })
      const assistant = await connectMcp(program, grant.accessToken, { revision })

      const { content } = await assistant.call('dashboard_read')
      expect(content.result.todaySessions).toContainEqual(expect.objectContaining({ id: sessionId }))
      const roster = await assistant.call('attendance_read', { sessionId })
      expect(roster.text).toContain(`studentId: ${studentId}; firstName: "Dana"; lastName: "Levi"`)
      const marked = await assistant.call('attendance_mark', { sessionId, entries: [{ studentId, status: 'present' }] })
      expect([marked.isError, marked.text]).toEqual([false, expect.stringMatching(/^The attendance is marked/)])

      const { body } = await owner.get(`/audit?action=attendance.mark&entityId=${sessionId}`)
      const { body: me } = await owner.get('/me')
      expect(body.data).toEqual([expect.objectContaining({ actorType: 'user', actorUserId: me.id, channel: 'mcp' })])
    },
  )
})
