import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { useMe } from '../../shell/me.tsx'

export const readStaff = async (query: Query<'/staff'>, signal?: AbortSignal): Promise<Schemas['Staff'][]> =>
  (await answer(api.GET('/staff', { params: { query }, signal }))).data

/** The active staff; an institute has few teachers. */
export const useStaff = (isOff = false) => {
  const { can } = useMe()
  return useGet(['/staff', 'active'], (signal) => readStaff({ isActive: true, limit: 100 }, signal), {
    isOff: isOff || !can('staff.read'),
  })
}

/** @param id null: nobody */
export const useStaffMember = (id: string | null) => {
  const { can } = useMe()
  return useGet(
    ['/staff', id],
    (signal) => answer(api.GET('/staff/{id}', { params: { path: { id: id ?? '' } }, signal })),
    { isOff: id === null || !can('staff.read') },
  )
}
