import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

export const readGuardian = (id: string, signal?: AbortSignal): Promise<Schemas['Guardian']> =>
  answer(api.GET('/guardians/{id}', { params: { path: { id } }, signal }))

export const useGuardian = (id: string, isOff = false) =>
  useGet(['/guardians', id], (signal) => readGuardian(id, signal), { isOff })

export const readGuardians = (query: Query<'/guardians'>, signal?: AbortSignal): Promise<Schemas['GuardianPage']> =>
  answer(api.GET('/guardians', { params: { query }, signal }))

export const readGuardiansOf = async (studentId: string, signal?: AbortSignal): Promise<Schemas['LinkedGuardian'][]> =>
  (await answer(api.GET('/students/{id}/guardians', { params: { path: { id: studentId } }, signal }))).data

const rankOf = ({ isPrimary, isPayer }: Schemas['LinkedGuardian']): number => (isPrimary ? 0 : isPayer ? 1 : 2)

/** The guardians of a student: whom one calls first, who pays, the others. */
export const useGuardiansOf = (studentId: string, isOff = false) =>
  useGet(
    ['/students', studentId, 'guardians'],
    async (signal) => (await readGuardiansOf(studentId, signal)).toSorted((one, other) => rankOf(one) - rankOf(other)),
    { isOff },
  )

/** A guardian's children, and what the family owes. */
export const readFamily = (guardianId: string, signal?: AbortSignal): Promise<Schemas['FamilySummary']> =>
  answer(api.GET('/guardians/{id}/family-summary', { params: { path: { id: guardianId } }, signal }))

export const useFamily = (guardianId: string) =>
  useGet(['/guardians', guardianId, 'family-summary'], (signal) => readFamily(guardianId, signal))
