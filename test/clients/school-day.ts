/**
 * A school day through a client that was generated from the API's document: whatever is sent here and read from the
 * replies is of the document's types. test/api/every-endpoint/generated-clients.test.ts makes the types, checks this file
 * against them, and runs it. (`.cache/clients` is where they lie then: before the first run an editor does not find them.)
 */
import createClient from 'openapi-fetch'
import type { components, paths } from '../../.cache/clients/api.d.ts'

type Schemas = components['schemas']
type Api = ReturnType<typeof createClient<paths>>

/** What a reply brought. @throws an Error with the envelope of a refusal */
const brought = <T>({ data, error }: { data?: T; error?: Schemas['ErrorBody'] | unknown }): T => {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const signIn = async (api: Api, setupToken: string): Promise<void> => {
  const owner = {
    email: 'owner@example.org',
    password: 'olive tree by the gate',
    firstName: 'Noor',
    lastName: 'Haddad',
  }
  const institute: Schemas['NewInstitute'] = {
    slug: 'al-noor',
    name: 'Al-Noor Institute',
    defaultLocale: 'ar',
    timezone: 'Asia/Jerusalem',
    currency: 'ILS',
  }
  brought(await api.POST('/setup/bootstrap', { body: { setupToken, institute, owner } }))
  const { email, password } = owner
  const { accessToken } = brought(await api.POST('/auth/login', { body: { email, password, client: 'mobile' } }))
  api.use({
    onRequest: ({ request }) => {
      request.headers.set('authorization', `Bearer ${accessToken}`)
      return request
    },
  })
}

/** A student with their mother. */
const addFamily = async (api: Api, branchId: string): Promise<Schemas['Student']> => {
  const student = brought(await api.POST('/students', { body: { branchId, firstName: 'ليان', lastName: 'حداد' } }))
  const guardian = brought(
    await api.POST('/guardians', { body: { firstName: 'Ruth', lastName: 'Haddad', phone: '050-123-4567' } }),
  )
  const link: Schemas['NewGuardianLink'] = {
    guardianId: guardian.id,
    relationship: 'mother',
    isPrimary: true,
    isPayer: true,
  }
  const linked = await api.POST('/students/{id}/guardians', { params: { path: { id: student.id } }, body: link })
  if (linked.error) throw new Error(linked.error.error.message)
  return student
}

const openGroup = async (api: Api, branchId: string): Promise<Schemas['Group']> => {
  const category = brought(await api.POST('/course-categories', { body: { name: 'Languages', slug: 'languages' } }))
  const course = brought(
    await api.POST('/courses', { body: { categoryId: category.id, name: 'Hebrew', defaultFeeMinor: 45_000 } }),
  )
  return brought(await api.POST('/groups', { body: { courseId: course.id, branchId, name: 'Hebrew A' } }))
}

/** The first session of the group's timetable. */
const schedule = async (api: Api, groupId: string): Promise<Schemas['Session']> => {
  const path = { id: groupId }
  const schedules: Schemas['NewScheduleRule'][] = [
    { weekday: 1, startTime: '16:00', endTime: '17:30', validFrom: '2026-03-01' },
  ]
  brought(await api.PUT('/groups/{id}/schedules', { params: { path }, body: { schedules } }))
  brought(await api.POST('/groups/{id}/sessions/generate', { params: { path }, body: {} }))
  const page = brought(await api.GET('/groups/{id}/sessions', { params: { path, query: { limit: 1 } } }))
  const [session] = page.data
  if (session === undefined || page.nextCursor === null)
    throw new Error('There are fewer sessions than were asked for.')
  return session
}

const charge = async (api: Api, studentId: string): Promise<Schemas['InvoiceDetail']> => {
  const lines = [{ description: 'March', unitAmountMinor: 45_000 }]
  const { id } = brought(await api.POST('/invoices', { body: { studentId, dueDate: '2026-03-31', lines } }))
  const path = { id }
  const { total } = brought(await api.POST('/invoices/{id}/issue', { params: { path } }))
  const { amountMinor, currency } = total
  brought(
    await api.POST('/invoices/{id}/payments', { params: { path }, body: { amountMinor, currency, method: 'cash' } }),
  )
  return brought(await api.GET('/invoices/{id}', { params: { path } }))
}

/** What came of the day. */
export interface Day {
  student: Schemas['Student']
  roster: Schemas['Roster']
  invoice: Schemas['InvoiceDetail']
  /** The code and the missing field of a request that is refused. */
  refused: [code: Schemas['ErrorCode'], path: string[] | undefined]
  /** Why the invoice is not issued again, in words of the client's own. */
  issuedTwice: string
}

/** The type of the reason names every conflict that issuing may meet: a misspelt case does not compile. */
const issueAgain = async (api: Api, id: string): Promise<string> => {
  const { error } = await api.POST('/invoices/{id}/issue', { params: { path: { id } } })
  if (error?.error.code !== 'CONFLICT') throw new Error('An invoice was issued twice.')
  switch (error.error.details?.reason) {
    case 'not_a_draft':
      return 'This invoice was sent out already.'
    case 'still_running':
      return 'Wait for a moment.'
    default:
      return 'Something is in the way.'
  }
}

/** @param setupToken of a server that waits for its institute */
export const schoolDay = async (url: string, setupToken: string): Promise<Day> => {
  const api = createClient<paths>({ baseUrl: `${url}/api/v1` })
  await signIn(api, setupToken)
  const [branch] = brought(await api.GET('/branches'))
  if (branch === undefined) throw new Error('There is no branch.')
  const student = await addFamily(api, branch.id)
  const group = await openGroup(api, branch.id)
  brought(await api.POST('/enrollments', { body: { studentId: student.id, groupId: group.id } }))
  const session = await schedule(api, group.id)
  const roster = brought(
    await api.PUT('/sessions/{id}/attendance', {
      params: { path: { id: session.id } },
      body: { entries: [{ studentId: student.id, status: 'late', minutesLate: 5 }] },
    }),
  )
  const invoice = await charge(api, student.id)
  // @ts-expect-error -- a field that is needed is not there: it does not compile, and is refused
  const { error } = await api.POST('/students', { body: { branchId: branch.id, firstName: 'Dana' } })
  if (error?.error.code !== 'VALIDATION_ERROR') throw new Error('A student without a last name was taken.')
  const refused: Day['refused'] = [error.error.code, error.error.details?.issues?.[0]?.path]
  return { student, roster, invoice, refused, issuedTwice: await issueAgain(api, invoice.id) }
}

/** What a receiver of webhooks is told by its types. */
export const toldBy = (event: Schemas['StudentCreatedEvent'] | Schemas['PaymentRecordedEvent']): string =>
  event.type === 'student.created' ? event.data.studentNumber : `${event.data.amountMinor} ${event.data.currency}`
