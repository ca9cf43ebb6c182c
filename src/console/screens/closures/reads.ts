import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

export type Closure = Schemas['Closure']
export type Holiday = Schemas['HolidayProposal']

const PAGE = 100

/** What is closed in a year. */
export const useClosures = (year: number) => {
  const query = { from: `${year}-01-01`, to: `${year}-12-31`, limit: PAGE }
  return useGet(['/closures', 'list', query], async (signal) => {
    const { data } = await answer(api.GET('/closures', { params: { query }, signal }))
    return data
  })
}

/** The holidays of a year on which one may close. */
export const useHolidays = (year: number, isOff: boolean) =>
  useGet(
    ['/closures', 'proposals', year],
    (signal) => answer(api.GET('/closures/proposals', { params: { query: { year } }, signal })),
    { isOff },
  )
