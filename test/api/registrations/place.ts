import type { Client } from '#kit/client.ts'
import { newPhone } from '../examples/people.ts'
import { newGroup } from '../examples/sessions.ts'

/** Bodies of registrations, and groups that they join. */

type Body = object

export const mother = (more: Body = {}) => ({ firstName: 'Hala', lastName: 'Nasser', phone: newPhone(), ...more })

export const child = (branchId: string, more: Body = {}) => ({
  firstName: 'Yara',
  lastName: 'Nasser',
  branchId,
  ...more,
})

/** A family of one child. */
export const family = (branchId: string, more: Body = {}) => ({
  guardian: mother(),
  relationship: 'mother',
  students: [child(branchId)],
  ...more,
})

/** A group of a course of its own, for 450.00 and of 12 places. */
export const openGroup = async (owner: Client, branchId: string, more: Body = {}) => {
  const id = await newGroup({ owner, branchId }, { capacity: 12, feeMinor: 45_000, ...more })
  return (await owner.get(`/groups/${id}`)).body
}

export const newFee = async (owner: Client, more: Body) =>
  (
    await owner.post('/fee-schedules', {
      name: 'Tuition',
      kind: 'per_group',
      amountMinor: 40_000,
      currency: 'ILS',
      recurrence: 'monthly',
      ...more,
    })
  ).body
