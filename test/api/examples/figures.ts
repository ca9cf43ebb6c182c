import type { Examples } from '#kit/examples.ts'
import { issuedInvoice } from './billing.ts'
import { newFamily } from './people.ts'

export const figureExamples: Examples = {
  'guardians.family-summary': async (world) => {
    const { id: studentId, guardianId } = await newFamily(world)
    await issuedInvoice(world, { studentId })
    return { params: { id: guardianId } }
  },
  'directory.students': async (world) => {
    const { id: studentId } = await newFamily(world)
    await issuedInvoice(world, { studentId })
    return {}
  },
  'directory.guardians': async (world) => {
    const { id: studentId } = await newFamily(world)
    await issuedInvoice(world, { studentId })
    return {}
  },
  'dashboard.attention': {
    make: async () => ({}),
    branchless: 'it answers every member with the figures that they reach',
  },
  'dashboard.read': {
    make: async () => ({}),
    branchless: 'it answers every holder of reports.read with the figures that they reach',
  },
}
