import { compiledInTenant } from '#db/compiled.ts'
import { found } from '#kernel/values/errors.ts'
import type { Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { fullName } from '#modules/people/index.ts'
import type { Gender } from './text.ts'

const studentWithPayer = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('student')
    .leftJoin('guardian_link', (join) =>
      join.onRef('guardian_link.student_id', '=', 'student.id').on('guardian_link.is_payer', '=', true),
    )
    .leftJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select([
      'student.first_name',
      'student.last_name',
      'student.gender',
      'student.student_number',
      'student.branch_id',
    ])
    .select(['guardian.first_name as payer_first', 'guardian.last_name as payer_last', 'guardian.preferred_locale'])
    .where('student.id', '=', id),
)

/** Whom a paper is about, and whom it is for. */
export interface Party {
  name: string
  gender: Gender
  studentNumber: string
  branchId: string
  /** The payer of record; null: there is none. */
  payerName: string | null
  /** The language of the payer; null: there is none. */
  locale: Locale | null
}

/** A student, whatever branch they are in now, with their payer of record. @throws NotFound */
export const partyOf = async (whole: ScopedDb, studentId: string): Promise<Party> => {
  const row = found((await studentWithPayer(whole, { id: studentId }))[0])
  return {
    name: fullName(row),
    gender: row.gender === 'other' ? null : row.gender,
    studentNumber: row.student_number,
    branchId: row.branch_id,
    payerName:
      row.payer_first === null ? null : fullName({ first_name: row.payer_first, last_name: row.payer_last ?? '' }),
    locale: row.preferred_locale,
  }
}

const guardianLocale = compiledInTenant((whole, { id }: { id: string }) =>
  whole.selectFrom('guardian').select('preferred_locale').where('id', '=', id),
)

/** The language of a guardian; undefined: there is no such one any more. */
export const localeOfGuardian = async (whole: ScopedDb, id: string | null): Promise<Locale | undefined> =>
  id === null ? undefined : (await guardianLocale(whole, { id }))[0]?.preferred_locale
