import type { Examples } from '#kit/examples.ts'
import { newGroup } from './academics.ts'
import { newPhone } from './people.ts'

export const newFamilyBody = (branchId: string) => ({
  guardian: { firstName: 'Hala', lastName: 'Nasser', phone: newPhone() },
  relationship: 'mother',
  students: [{ firstName: 'Yara', lastName: 'Nasser', branchId }],
})

export const registrationExamples: Examples = {
  'registrations.create': async (world) => {
    const body = newFamilyBody(world.branchId)
    const [student] = body.students
    const groups = [{ groupId: await newGroup(world), priceMinor: 40_000 }]
    return { body: { ...body, students: [{ ...student, groups }], invoice: 'issue' } }
  },
}
