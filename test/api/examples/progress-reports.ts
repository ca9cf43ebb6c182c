import type { Example, Examples, World } from '#kit/examples.ts'
import { create, newGroup, newPupil } from './sessions.ts'

type Place = Pick<World, 'owner' | 'branchId'>

const period = { periodStart: '2026-02-01', periodEnd: '2026-03-31' }

const REACHED = { email: 'pupil@example.org' }

/** A draft for a fresh student in a fresh group, or for the given ones. */
export const newReport = async (place: Place, fields: Record<string, unknown> = {}): Promise<string> => {
  const studentId = fields['studentId'] ?? (await newPupil(place, await newGroup(place), REACHED))
  return create(place, '/progress-reports', { studentId, ...period, ...fields })
}

const ofReport = async (world: World): Promise<Example> => ({ params: { id: await newReport(world) } })

export const progressReportExamples: Examples = {
  'progress-reports.list': async (world) => {
    await newReport(world)
    return {}
  },
  'progress-reports.create': async (world) => {
    const groupId = await newGroup(world)
    const studentId = await newPupil(world, groupId)
    return { body: { studentId, groupId, ...period, comment: 'A good start' } }
  },
  'progress-reports.read': ofReport,
  'progress-reports.update': async (world) => ({ ...(await ofReport(world)), body: { comment: 'A good start' } }),
  'progress-reports.delete': ofReport,
  'progress-reports.send': ofReport,
  'progress-reports.send-many': async (world) => ({ body: { ids: [await newReport(world)] } }),
  'progress-reports.submit': async (world) => ({ body: { ids: [await newReport(world)] } }),
  'progress-reports.return': async (world) => {
    const id = await newReport(world)
    await world.owner.post('/progress-reports/submit', { ids: [id] })
    return { params: { id }, body: { remark: 'Say what Dana can practise' } }
  },
  'progress-reports.of-class': async (world) => {
    const groupId = await newGroup(world)
    await newReport(world, { groupId, studentId: await newPupil(world, groupId, REACHED) })
    return { params: { id: groupId }, query: '?periodStart=2026-02-01&periodEnd=2026-03-31' }
  },
  'progress-reports.pdf': ofReport,
}
