import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { assistantOf, assistantsOf, connectMcp, type McpClient } from '#kit/mcp.ts'
import { enquiry } from '../examples/leads.ts'
import { newPhone } from '../examples/people.ts'
import { create, newGroup, newPupil, newSession } from '../examples/sessions.ts'

/** What is in one branch, by the names that arguments of tools have. */
interface Branch {
  groupId: string
  sessionId: string
  studentId: string
  guardianId: string
  enrollmentId: string
  leadId: string
  draftId: string
  invoiceId: string
}

let app: TestApp
let institute: TestInstitute
let ours: Branch
let theirs: Branch
let assistant: McpClient

beforeAll(async () => {
  app = await startApp({ modules: [assistantsOf(() => app)] })
  institute = await makeInstitute(app, { features: { mcp: true } })
  ours = await fill('Ours', institute.branchId)
  theirs = await fill('Theirs', await create(institute, '/branches', { name: 'North' }))
  const member = await institute.member({ role: 'branch_manager', branchId: institute.branchId })
  const access = await institute.member({ permissions: ['mcp.access'] })
  await institute.owner.put(`/members/${member.membershipId}/roles`, {
    roles: [{ roleId: institute.roles.branch_manager, branchId: institute.branchId }, { roleId: access.roleId }],
  })
  assistant = await connectMcp(app, assistantOf(member))
})
afterAll(() => app.close())

const fill = async (name: string, branchId: string): Promise<Branch> => {
  const { owner } = institute
  const place = { owner, branchId }
  const groupId = await newGroup(place, { name: `Group of ${name}` })
  const studentId = await newPupil(place, groupId, { firstName: name, email: `${name.toLowerCase()}@example.org` })
  const guardianId = await create(place, '/guardians', { firstName: name, lastName: 'Parent', phone: newPhone() })
  const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
  expect((await owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
  const [enrollment] = (await owner.get(`/groups/${groupId}/enrollments`)).body.data
  const desk = await institute.member({ role: 'front_desk', branchId })
  const draft = () =>
    create(place, '/invoices', { studentId, lines: [{ description: name, quantity: 1, unitAmountMinor: 45_000 }] })
  const invoiceId = await draft()
  await owner.post(`/invoices/${invoiceId}/issue`)
  return {
    groupId,
    sessionId: await newSession(place, groupId),
    studentId,
    guardianId,
    enrollmentId: enrollment.id,
    leadId: await create({ owner: desk }, '/leads', { ...enquiry(), firstName: name }),
    draftId: await draft(),
    invoiceId,
  }
}

/** Each tool that takes an id, with all its ids from one branch. */
const CALLS: [name: string, given: (branch: Branch) => Record<string, unknown>][] = [
  ['student_read', ({ studentId }) => ({ studentId })],
  ['family_read', ({ guardianId }) => ({ guardianId })],
  ['roster_list', ({ groupId }) => ({ groupId })],
  ['sessions_list', ({ groupId }) => ({ groupId })],
  ['attendance_read', ({ sessionId }) => ({ sessionId })],
  ['attendance_mark', ({ sessionId }) => ({ sessionId, entries: [] })],
  ['statement_read', ({ studentId }) => ({ studentId })],
  ['student_invoices_list', ({ studentId }) => ({ studentId })],
  ['student_enrollments_list', ({ studentId }) => ({ studentId })],
  ['exam_results_list', ({ studentId }) => ({ studentId })],
  ['invoice_draft', ({ studentId }) => ({ studentId, lines: [{ description: 'x', unitAmountMinor: 1 }] })],
  ['invoice_issue', ({ draftId }) => ({ invoiceId: draftId })],
  ['payment_record', ({ invoiceId }) => ({ invoiceId, amountMinor: 100, currency: 'ILS', method: 'cash' })],
  ['lead_convert', ({ leadId }) => ({ leadId })],
  ['enrollment_create', ({ studentId, groupId }) => ({ studentId, groupId })],
  ['enrollment_drop', ({ enrollmentId }) => ({ enrollmentId })],
]

describe('an assistant of a member who works for one branch', () => {
  test.each(CALLS)('finds nothing of another branch with %s', async (name, given) => {
    const { isError, text } = await assistant.call(name, given(theirs))
    expect([isError, text.split(':')[0]]).toEqual([true, 'NOT_FOUND'])
  })

  test.each(CALLS)('is not refused for the ids of its own branch with %s', async (name, given) => {
    const { text } = await assistant.call(name, given(ours))
    expect(text).not.toMatch(/^NOT_FOUND|^FORBIDDEN|^VALIDATION_ERROR/)
  })

  test('has changed nothing of the other branch', async () => {
    const { owner } = institute
    expect((await owner.get(`/invoices/${theirs.draftId}`)).body.status).toBe('draft')
    expect((await owner.get(`/invoices/${theirs.invoiceId}`)).body.payments).toEqual([])
    expect((await owner.get(`/leads/${theirs.leadId}`)).body.status).toBe('new')
    const { body } = await owner.get(`/groups/${theirs.groupId}/enrollments`)
    expect(body.data).toEqual([expect.objectContaining({ id: theirs.enrollmentId, status: 'active' })])
  })

  test.each([
    ['students_find', 'studentId'],
    ['guardians_find', 'guardianId'],
    ['groups_find', 'groupId'],
    ['invoices_find', 'invoiceId'],
    ['leads_find', 'leadId'],
  ] as const)('lists with %s what its branch has, and nothing else', async (name, id) => {
    const { content } = await assistant.call(name, { limit: 25 })
    const ids = content.result.data.map((one: { id: string }) => one.id)
    expect(ids).toContain(ours[id])
    expect(ids).not.toContain(theirs[id])
  })

  test('finds nothing of another branch by a search', async () => {
    const { content } = await assistant.call('records_search', { q: 'Theirs' })
    expect(content.result.results).toEqual([])
  })

  test('sends nothing to people of another branch', async () => {
    const message = { templateKey: 'message', channels: ['email'], data: { title: 'Closed', message: 'On Monday.' } }
    for (const recipients of [{ studentIds: [theirs.studentId] }, { groupId: theirs.groupId }]) {
      const { isError, text, content } = await assistant.call('notification_send', { ...message, recipients })
      expect([isError, text.split(':')[0], content]).toEqual([true, 'NOT_FOUND', undefined])
    }
    const { content } = await assistant.call('notification_send', {
      ...message,
      recipients: { studentIds: [ours.studentId] },
    })
    expect(content.preview.queued).toBe(1)
  })
})
