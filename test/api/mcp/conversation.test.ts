import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { assistantOf, assistantsOf, connectMcp, REVISIONS } from '#kit/mcp.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ modules: [assistantsOf(() => app)] })
  institute = await makeInstitute(app, { features: { mcp: true } })
})
afterAll(() => app.close())

describe.each(REVISIONS)('a conversation in the revision of %s', (revision) => {
  test('lists the sessions of today, marks one, and stands in the audit log with the channel mcp', async () => {
    const groupId = await newGroup(institute)
    const studentId = await newPupil(institute, groupId, { firstName: 'Dana', lastName: 'Levi' })
    const sessionId = await newSession(institute, groupId, {
      scheduledStart: '2026-03-02T14:00:00.000Z',
      scheduledEnd: '2026-03-02T15:00:00.000Z',
    })
    const assistant = await connectMcp(app, assistantOf(institute.owner), { revision })

    const today = await assistant.call('dashboard_read')
    expect(today.content.result.todaySessions).toContainEqual(expect.objectContaining({ id: sessionId }))
    expect(today.text).toContain('2026-03-02 16:00 GMT+02:00')

    const marked = await assistant.call('attendance_mark', { sessionId, entries: [{ studentId, status: 'present' }] })
    expect(marked.isError).toBe(false)
    expect(marked.text).toMatch(/^The attendance is marked/)
    expect(marked.text).toContain(`studentId: ${studentId}; firstName: "Dana"; lastName: "Levi"; status: present`)

    const { body } = await institute.owner.get(`/audit?action=attendance.mark&entityId=${sessionId}`)
    expect(body.data).toEqual([
      expect.objectContaining({ actorType: 'user', actorUserId: institute.ownerUserId, channel: 'mcp' }),
    ])
  })
})
