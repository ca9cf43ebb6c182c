import type { Examples, World } from '#kit/examples.ts'
import { create, newGroup, newPupil } from './sessions.ts'

type Place = Pick<World, 'owner'>

const monthly = { name: 'Tuition', kind: 'per_group', amountMinor: 45_000, currency: 'ILS', recurrence: 'monthly' }

/** A monthly fee of 450.00 ILS, of no group unless the fields name one. */
export const newFeeSchedule = (place: Place, fields: Record<string, unknown> = {}): Promise<string> =>
  create(place, '/fee-schedules', { ...monthly, ...fields })

const branchless = 'fee schedules belong to the whole institute'

export const feeExamples: Examples = {
  'fee-schedules.list': { make: async () => ({ query: '?kind=per_group' }), branchless },
  'fee-schedules.create': async () => ({ body: monthly }),
  'fee-schedules.read': { make: async (world) => ({ params: { id: await newFeeSchedule(world) } }), branchless },
  'fee-schedules.update': async (world) => ({
    params: { id: await newFeeSchedule(world) },
    body: { amountMinor: 50_000 },
  }),
  'fee-schedules.rehearse-new': async () => ({ body: monthly }),
  'fee-schedules.rehearse': async (world) => ({
    params: { id: await newFeeSchedule(world) },
    body: { amountMinor: 50_000 },
  }),
  'fee-schedules.delete': async (world) => ({ params: { id: await newFeeSchedule(world) } }),
  'billing.runs': { make: async () => ({ query: '?month=2026-03' }), branchless: 'a run bills several branches' },
  'billing.void-run': {
    make: async (world) => {
      const groupId = await newGroup(world)
      await newPupil(world, groupId)
      const feeScheduleIds = [await newFeeSchedule(world, { groupId })]
      const { body } = await world.owner.post('/billing/runs', { month: '2026-03', feeScheduleIds })
      return { params: { id: body.id }, body: { reason: 'At a wrong price' } }
    },
    branchless: 'a run bills several branches',
  },
  'billing.run': async (world) => {
    const groupId = await newGroup(world)
    await newPupil(world, groupId)
    const feeScheduleIds = [await newFeeSchedule(world, { groupId })]
    return { body: { month: '2026-03', feeScheduleIds, branchId: world.branchId } }
  },
}
