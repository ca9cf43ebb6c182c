import type { Examples } from '#kit/examples.ts'
import { newStudent } from './people.ts'

export const searchExamples: Examples = {
  search: {
    branchless: 'Whoever reaches nothing finds nothing.',
    make: async (world) => {
      await newStudent(world)
      return { query: '?q=pupil' }
    },
  },
}
