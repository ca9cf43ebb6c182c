import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { readAll, useGet } from '../../api/queries.ts'
import type { RecordSource } from '../../parts/record-choice.tsx'
import { useMe } from '../../shell/me.tsx'

export const readStaff = (query: Query<'/staff'>, signal?: AbortSignal): Promise<Schemas['StaffPage']> =>
  answer(api.GET('/staff', { params: { query }, signal }))

/** The active staff, to choose from. */
export const useStaffSource = (): RecordSource<Schemas['Staff']> => {
  const { can } = useMe()
  return {
    key: ['/staff', 'active'],
    read: (q, signal) => readStaff({ isActive: true, limit: 50, ...(q !== '' && { q }) }, signal),
    optionOf: ({ id, fullName }) => ({ id, label: fullName }),
    isOff: !can('staff.read'),
  }
}

/** The names of all active staff, by their ids: lists name teachers by these. */
export const useStaffNames = (): ReadonlyMap<string, string> => {
  const { can } = useMe()
  const staff = useGet(
    ['/staff', 'names'],
    (signal) => readAll((cursor) => readStaff({ isActive: true, limit: 100, cursor }, signal)),
    { isOff: !can('staff.read') },
  )
  return new Map(staff.data?.map(({ id, fullName }) => [id, fullName]))
}

/** The active staff who are known by name alone: no account stands behind their records. */
export const useStaffByName = (isOff: boolean): readonly Schemas['Staff'][] => {
  const { can } = useMe()
  const staff = useGet(
    ['/staff', 'by-name'],
    (signal) => readAll((cursor) => readStaff({ isActive: true, limit: 100, cursor }, signal)),
    { isOff: isOff || !can('staff.read') },
  )
  return staff.data?.filter(({ userId }) => userId === null) ?? []
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
