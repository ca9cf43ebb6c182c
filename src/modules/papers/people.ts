import { compiledInTenant } from '#db/queries/compiled.ts'
import { found } from '#kernel/values/errors.ts'
import type { Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { readPayer, type KeptParty } from '#modules/billing/index.ts'
import { fullName } from '#modules/people/index.ts'
import type { Language } from './frame.ts'
import { addressLines, code, written, type Gender } from './text.ts'

const studentWithPayer = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('student')
    .leftJoin('guardian_link', (join) =>
      join.onRef('guardian_link.student_id', '=', 'student.id').on('guardian_link.is_payer', '=', true),
    )
    .leftJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .leftJoin('user', 'user.id', 'guardian.user_id')
    .select([
      'student.first_name',
      'student.last_name',
      'student.gender',
      'student.student_number',
      'student.branch_id',
    ])
    .select(['student.national_id', 'student.address'])
    .select(['guardian.first_name as payer_first', 'guardian.last_name as payer_last', 'guardian.preferred_locale'])
    .select(['guardian.national_id as payer_national_id', 'guardian.address as payer_address'])
    .select('user.locale as account_locale')
    .where('student.id', '=', id),
)

/** Whom a paper is about, and whom it is for. */
export interface Party {
  gender: Gender
  student: KeptParty & { studentNumber: string }
  branchId: string
  /** The payer of record; null: there is none. */
  payer: KeptParty | null
  /** The language of the payer; null: there is none. */
  locale: Locale | null
}

/** A student, whatever branch they are in now, with their payer of record. @throws NotFound */
export const partyOf = async (whole: ScopedDb, studentId: string): Promise<Party> => {
  const row = found((await studentWithPayer(whole, { id: studentId }))[0])
  const { payer_first: first_name, payer_last: last_name, payer_national_id: nationalId, payer_address: address } = row
  return {
    gender: row.gender === 'other' ? null : row.gender,
    student: {
      fullName: fullName(row),
      studentNumber: row.student_number,
      nationalId: row.national_id,
      address: row.address,
    },
    branchId: row.branch_id,
    payer:
      first_name === null
        ? null
        : { fullName: fullName({ first_name, last_name: last_name ?? '' }), nationalId, address },
    locale: row.account_locale ?? row.preferred_locale,
  }
}

/** Somebody with all that a bill says of them. */
export const partyLines = ({ fullName: name, nationalId, address }: KeptParty, { words }: Language): string =>
  [
    written(name),
    ...(nationalId === null ? [] : [`${words.nationalId} ${code(nationalId)}`]),
    ...addressLines(address),
  ].join('\n')

/** A guardian as a paper names them now, and their language. @throws NotFound */
export const guardianParty = async (db: ScopedDb, id: string): Promise<{ party: KeptParty; locale: Locale }> =>
  found((await readPayer(db, id)) ?? undefined)

const guardianLocale = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('guardian')
    .leftJoin('user', 'user.id', 'guardian.user_id')
    .select(({ fn }) => fn.coalesce('user.locale', 'guardian.preferred_locale').as('locale'))
    .where('guardian.id', '=', id),
)

/** The language of a guardian; undefined: there is no such one any more. */
export const localeOfGuardian = async (whole: ScopedDb, id: string | null): Promise<Locale | undefined> =>
  id === null ? undefined : (await guardianLocale(whole, { id }))[0]?.locale
