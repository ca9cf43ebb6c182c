import { compiledByIds, compiledInTenant } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { isSamePhone, phoneKey, twinPhone } from '#shared/twin-phones.ts'
import { RowRefused } from '../complaints.ts'
import { GUARDIANS } from '../guardian-fields.ts'
import type { Values } from '../rows.ts'
import { foldedName, namesIn, shareAWord, type Names } from './names.ts'

/*
 * A row is of a student who is there already by its student number, else by its identity number, else by its name
 * together with the student's phone, a guardian's phone or the date of birth.
 */

const COLUMNS = [
  'student.id',
  'student.first_name',
  'student.last_name',
  'student.national_id',
  'student.phone',
  'student.birth_date',
] as const

const students = (whole: ScopedDb) => whole.selectFrom('student').select(COLUMNS).where('student.erased_at', 'is', null)

const byNumber = compiledInTenant((whole, { number }: { number: string }) =>
  students(whole).where('student.student_number', '=', number),
)
const byNationalId = compiledInTenant((whole, { nationalId }: { nationalId: string }) =>
  students(whole).where('student.national_id', '=', nationalId).limit(2),
)
const byPhone = compiledInTenant((whole, { phone, twin }: { phone: string; twin: string }) =>
  students(whole).where('student.phone', 'in', [phone, twin]).limit(50),
)
const byBirthDate = compiledInTenant((whole, { date }: { date: string }) =>
  students(whole).where('student.birth_date', '=', date),
)
const guardiansByPhone = compiledInTenant((whole, { phone, twin }: { phone: string; twin: string }) =>
  whole.selectFrom('guardian').select('id').where('phone', 'in', [phone, twin]),
)
const byGuardians = compiledByIds((whole, guardianIds) =>
  whole
    .selectFrom('guardian_link')
    .innerJoin('student', 'student.id', 'guardian_link.student_id')
    .select(COLUMNS)
    .where('guardian_link.guardian_id', 'in', guardianIds)
    .limit(50),
)

/**
 * By the phone of a guardian. In two steps, because most phones of a new list are nobody's, and because Postgres reads whole
 * tables for it in one while an import has just filled them.
 */
const byGuardianPhone = async (whole: ScopedDb, phones: { phone: string; twin: string }): Promise<Found[]> => {
  const guardians = await guardiansByPhone(whole, phones)
  return byGuardians(
    whole,
    guardians.map(({ id }) => id),
  )
}

type Found = Awaited<ReturnType<typeof byNumber>>[number]

const namesOf = ({ first_name: firstName, last_name: lastName }: Found): Names => ({ firstName, lastName })

/** @returns undefined: none of them @throws RowRefused for several */
const theOne = (found: readonly Found[], field: string): string | undefined => {
  const ids = new Set(found.map(({ id }) => id))
  if (ids.size > 1) throw new RowRefused('ambiguous', field)
  return found[0]?.id
}

const guardianPhones = (values: Values): string[] =>
  GUARDIANS.flatMap((slot) => (values[`${slot}Phone`] as string | undefined) ?? [])

const ofPerson = (values: Values, name: string): string[] => {
  const { studentNumber: number, nationalId, phone, birthDate: date } = values as Record<string, string | undefined>
  return [
    ...(number === undefined ? [] : [`number ${number}`]),
    ...(nationalId === undefined ? [] : [`identity ${nationalId}`]),
    ...[phone, date].flatMap((one) => (one === undefined ? [] : [`${phoneKey(one)} ${name}`])),
  ]
}

const ofGuardianPhones = (values: Values): string[] => guardianPhones(values).map((one) => `guardian ${phoneKey(one)}`)

/** What findStudent goes by, and whom a row gives a guardian: rows without any of it in common have nothing to do with each other. */
export const studentKeys = (values: Values): string[] => [
  ...ofPerson(values, foldedName(namesIn(values))),
  // Whoever has the phone of a guardian is the one whom the row before made.
  ...ofGuardianPhones(values),
]

/** The rows of new students who are not added yet. */
export class RowsToAdd {
  readonly #held = new Set<string>()

  /** By what findStudent would find the student of a row. */
  #keys(values: Values): string[] {
    const name = foldedName(namesIn(values))
    return [...ofPerson(values, name), ...ofGuardianPhones(values).map((one) => `${one} ${name}`)]
  }

  /** Whether what a row comes to depends on one of them: it may be of the same student, or its second parent theirs. */
  concern(values: Values): boolean {
    const phones = ofGuardianPhones(values)
    const isOfTwo = new Set(phones).size < phones.length
    return (
      this.#keys(values).some((key) => this.#held.has(key)) || (isOfTwo && phones.some((key) => this.#held.has(key)))
    )
  }

  add(values: Values): void {
    for (const key of [...this.#keys(values), ...ofGuardianPhones(values)]) this.#held.add(key)
  }
}

/** Whether a student with the number of a row can be whom the row means: numbers of other programs begin with 1 too. */
const isMeant = (student: Found, values: Values): boolean => {
  const names = namesIn(values)
  if (!names) return true
  const same = (mine: string | null, given: unknown): boolean => mine !== null && mine === given
  const phone = values['phone'] as string | undefined
  return (
    shareAWord(namesOf(student), names) ||
    same(student.national_id, values['nationalId']) ||
    (student.phone !== null && phone !== undefined && isSamePhone(student.phone, phone)) ||
    same(student.birth_date, values['birthDate'])
  )
}

const phonesIn = (values: Values): string[] => [values['phone'] ?? [], guardianPhones(values)].flat() as string[]

const textsIn = (rows: readonly Values[], field: string): string[] =>
  rows.flatMap((values) => (values[field] as string | undefined) ?? [])

const withPhones = compiledByIds((whole, phones) =>
  whole
    .selectFrom('student')
    .select('phone')
    .where('phone', 'in', phones)
    .unionAll(whole.selectFrom('guardian').select('phone').where('phone', 'in', phones)),
)
const withNumbers = compiledByIds((whole, numbers) =>
  whole.selectFrom('student').select('student_number').where('student_number', 'in', numbers),
)
const withIdentities = compiledByIds((whole, identities) =>
  whole.selectFrom('student').select('national_id').where('national_id', 'in', identities),
)
const byBirthDates = compiledByIds((whole, dates) => students(whole).where('student.birth_date', 'in', dates))

const named = (date: string, names: Partial<Names> | undefined): string => `${date} ${foldedName(names)}`

/**
 * What the rows of a slice say and nobody has, looked for at once: there is nobody to be found by it. Most of what a new list
 * says is such.
 */
export class NobodyHas {
  readonly #held: Set<string>
  /** Numbers were given to students whose rows say none. */
  #gaveNumbers = false

  private constructor(held: Set<string>) {
    this.#held = held
  }

  static async among(whole: ScopedDb, rows: readonly Values[]): Promise<NobodyHas> {
    const phones = rows.flatMap(phonesIn)
    const held = [
      ...(await withPhones(whole, [...phones, ...phones.map(twinPhone)])).map(({ phone }) => phoneKey(phone as string)),
      ...(await withNumbers(whole, textsIn(rows, 'studentNumber'))).map(({ student_number: number }) => number),
      ...(await withIdentities(whole, textsIn(rows, 'nationalId'))).map(({ national_id: identity }) => identity),
      ...(await byBirthDates(whole, textsIn(rows, 'birthDate'))).map((one) =>
        named(one.birth_date as string, namesOf(one)),
      ),
    ]
    return new NobodyHas(new Set(held as string[]))
  }

  #is(value: string): boolean {
    return !this.#held.has(value)
  }

  isNumber(studentNumber: string): boolean {
    return !this.#gaveNumbers && this.#is(studentNumber)
  }

  isIdentity(nationalId: string): boolean {
    return this.#is(nationalId)
  }

  isPhone(phone: string): boolean {
    return this.#is(phoneKey(phone))
  }

  isBorn(date: string, names: Partial<Names> | undefined): boolean {
    return this.#is(named(date, names))
  }

  /**
   * A row is written: whoever it adds has what it says. @param person whom it changes: their name or date of birth is one that
   * no row said so far
   */
  take(values: Values, person?: { names: Partial<Names>; birthDate: string | null }): void {
    for (const phone of phonesIn(values)) this.#held.add(phoneKey(phone))
    for (const field of ['studentNumber', 'nationalId']) {
      for (const value of textsIn([values], field)) this.#held.add(value)
    }
    this.#gaveNumbers ||= values['studentNumber'] === undefined
    const date = (values['birthDate'] as string | undefined) ?? person?.birthDate ?? null
    if (date !== null) this.#held.add(named(date, { ...person?.names, ...namesIn(values) }))
  }
}

/**
 * The student whom a row means, of the whole institute.
 * @param nobody has something of the row: it is not looked for
 * @returns undefined: there is none yet
 * @throws RowRefused when the row does not say enough, or means several
 */
export const findStudent = async (whole: ScopedDb, values: Values, nobody?: NobodyHas): Promise<string | undefined> => {
  const { studentNumber: number, nationalId, phone, birthDate: date } = values as Record<string, string | undefined>
  if (number !== undefined && !nobody?.isNumber(number)) {
    const [student] = await byNumber(whole, { number })
    if (student && !isMeant(student, values)) throw new RowRefused('number_of_another', 'studentNumber')
    if (student) return student.id
  }
  if (nationalId !== undefined && !nobody?.isIdentity(nationalId)) {
    const id = theOne(await byNationalId(whole, { nationalId }), 'nationalId')
    if (id !== undefined) return id
  }
  const names = namesIn(values)
  const name = names && foldedName(names)
  const phones = guardianPhones(values)
  if (name !== undefined) {
    const ofName = (found: readonly Found[]): Found[] => found.filter((one) => foldedName(namesOf(one)) === name)
    const id =
      (phone === undefined || nobody?.isPhone(phone)
        ? undefined
        : theOne(ofName(await byPhone(whole, { phone, twin: twinPhone(phone) })), 'phone')) ??
      (await firstOf(GUARDIANS, async (slot) => {
        const one = values[`${slot}Phone`] as string | undefined
        if (one === undefined || nobody?.isPhone(one)) return undefined
        return theOne(ofName(await byGuardianPhone(whole, { phone: one, twin: twinPhone(one) })), `${slot}Phone`)
      })) ??
      (date === undefined || nobody?.isBorn(date, names)
        ? undefined
        : theOne(ofName(await byBirthDate(whole, { date })), 'birthDate'))
    if (id !== undefined) return id
  }
  const isKnowable = name !== undefined && (phone !== undefined || phones.length > 0 || date !== undefined)
  if (number === undefined && nationalId === undefined && !isKnowable) throw new RowRefused('identity_missing')
  return undefined
}

const firstOf = async <T, R>(all: readonly T[], look: (one: T) => Promise<R | undefined>): Promise<R | undefined> => {
  for (const one of all) {
    const found = await look(one)
    if (found !== undefined) return found
  }
  return undefined
}
