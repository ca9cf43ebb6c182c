import { failure } from '#kernel/values/errors.ts'

/** Of a person who was erased there is a record without a name, to which their books go on referring. */

export const PersonErased = failure(
  'CONFLICT',
  'person_erased',
  'This person was erased: nothing of what is left of their record is changed, and nothing is added to it.',
)

/** @throws PersonErased */
export const refuseErased = ({ erased_at: erasedAt }: { erased_at: string | null }): void => {
  if (erasedAt !== null) throw PersonErased()
}
