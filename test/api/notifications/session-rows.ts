import type { ChannelName } from '#modules/notifications/tables.ts'
import type { TestInstitute } from '#kit/institute.ts'
import { newSession, newStaff } from '../examples/sessions.ts'

export interface Row {
  event: string
  /** What happens. */
  what: string
  hears: readonly string[]
  /** Everybody hears over every channel that the institute and they have, but for this. */
  over?: readonly ChannelName[]
  /** What must have happened before, of which other rows tell. */
  given?: () => Promise<unknown>
  does: () => Promise<unknown>
  /** Nobody is told this. */
  neverSays?: RegExp
}

const TEACHER = 'תמר כץ'

/**
 * What people hear of the lessons of a group.
 * @param all the students of the group and their guardians
 */
export const sessionRows = (
  school: () => { institute: TestInstitute; groupId: string },
  all: readonly string[],
): Row[] => {
  let closureId = ''
  let coverId = ''
  return [
    {
      event: 'session.cancelled',
      what: 'a session is cancelled',
      hears: [...all, TEACHER],
      does: async () => {
        const sessionId = await newSession(school().institute, school().groupId)
        const change = { status: 'cancelled', reason: 'The teacher is ill' }
        await school().institute.owner.patch(`/sessions/${sessionId}`, change)
      },
    },
    {
      event: 'session.added',
      what: 'a session is added, and all are to be told',
      hears: [...all, TEACHER],
      does: () => newSession(school().institute, school().groupId, { notify: true }),
    },
    {
      event: 'session.moved',
      what: 'a session is moved',
      hears: [...all, TEACHER],
      does: async () => {
        const sessionId = await newSession(school().institute, school().groupId)
        const { scheduledStart, scheduledEnd } = (await school().institute.owner.get(`/sessions/${sessionId}`)).body
        const later = (instant: string) => new Date(Date.parse(instant) + 90_000_000).toISOString()
        const change = { scheduledStart: later(scheduledStart), scheduledEnd: later(scheduledEnd) }
        await school().institute.owner.patch(`/sessions/${sessionId}`, change)
      },
    },
    {
      event: 'session.given',
      what: 'a session is given to a substitute',
      hears: [TEACHER],
      does: async () => {
        const other = await newStaff(school().institute)
        const sessionId = await newSession(school().institute, school().groupId, { teacherStaffId: other })
        await school().institute.owner.patch(`/sessions/${sessionId}`, { teacherStaffId: null })
      },
    },
    {
      event: 'group.lessons_changed',
      what: 'a group ends earlier than its lessons',
      hears: [...all, TEACHER],
      given: async () => {
        const schedules = [{ weekday: 1, startTime: '16:00', endTime: '17:00', validFrom: '2026-03-09', validTo: null }]
        await school().institute.owner.put(`/groups/${school().groupId}/schedules`, { schedules })
      },
      does: () => school().institute.owner.patch(`/groups/${school().groupId}`, { endsOn: '2026-03-16' }),
    },
    {
      event: 'group.continues',
      what: 'a group goes on in a new year, and the families are to be told',
      hears: all,
      does: () =>
        school().institute.owner.post('/groups/rollover', {
          groupIds: [school().groupId],
          startsOn: '2026-09-01',
          endsOn: '2027-06-30',
          names: [{ groupId: school().groupId, name: 'Algebra 2' }],
          notify: true,
        }),
    },
    {
      event: 'closure.announced',
      what: 'days are closed on which there are lessons',
      hears: [...all, TEACHER],
      does: async () => {
        const closure = { name: 'Spring holidays', from: '2026-03-08', to: '2026-03-10' }
        closureId = (await school().institute.owner.post('/closures', closure)).body.id
      },
    },
    {
      event: 'closures.announced',
      what: 'several holidays are closed at once',
      hears: [...all, TEACHER],
      does: () =>
        school().institute.owner.post('/closures/many', {
          closures: [
            { name: 'Purim', from: '2026-03-03', to: '2026-03-03' },
            { name: 'Spring holidays', from: '2026-03-16', to: '2026-03-17' },
          ],
        }),
    },
    {
      event: 'closure.lifted',
      what: 'closed days are opened again',
      hears: [...all, TEACHER],
      does: () => school().institute.owner.delete(`/closures/${closureId}`),
    },
    {
      event: 'cover.given',
      what: 'a teacher stands in for another from day to day',
      hears: [TEACHER],
      does: async () => {
        const { institute, groupId } = school()
        const staffId = await newStaff(institute, { firstName: 'Rania', lastName: 'Saleh' })
        const substituteStaffId = (await institute.owner.get(`/groups/${groupId}`)).body.teacherStaffId
        await newSession(institute, groupId, { teacherStaffId: staffId })
        const body = { substituteStaffId, from: '2026-03-02', to: '2026-03-06' }
        coverId = (await institute.owner.post(`/staff/${staffId}/cover`, body)).body.cover.id
      },
    },
    {
      event: 'cover.lifted',
      what: 'it is taken back',
      hears: [TEACHER],
      does: () => school().institute.owner.delete(`/covers/${coverId}`),
    },
  ]
}
