import type { Examples } from '#kit/examples.ts'

const OWN = 'It tells of the caller alone, whoever that is.'

export const calendarExamples: Examples = {
  'me.calendar': {
    branchless: OWN,
    make: async ({ owner }) => {
      await owner.post('/me/calendar')
      return {}
    },
  },
  'me.make-calendar': { branchless: OWN, make: async () => ({}) },
  'me.end-calendar': {
    branchless: OWN,
    make: async ({ owner }) => {
      await owner.post('/me/calendar')
      return {}
    },
  },
  'calendars.fetch': async ({ owner }) => {
    const { url } = (await owner.post('/me/calendar')).body
    return { params: { file: new URL(url).pathname.split('/').at(-1) as string } }
  },
}
