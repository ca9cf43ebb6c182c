/** Whose account it is. */
export interface Holder {
  kind: 'guardians' | 'students'
  id: string
  name: string
}

/** As requests name whose credit it is. */
export const holderOf = ({ kind, id }: Holder): { guardianId: string } | { studentId: string } =>
  kind === 'guardians' ? { guardianId: id } : { studentId: id }
