import { forKeyShare } from '#db/dialect.ts'
import { ApiError, failure } from '#kernel/values/errors.ts'
import { storedPhone } from '#kernel/values/phone.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockDefaultBranch } from '#modules/branches/index.ts'
import { addFamily, GuardianNameDiffers, type FamilyStudent, type IsMeant } from '#modules/people/index.ts'
import { readSettings } from '#modules/settings/index.ts'
import { isSameName } from '#shared/names.ts'
import { onceADay } from './day.ts'
import { guardiansOfLead, studentOfLead } from './family.ts'
import { createLeadRecord, namedGuardian } from './record.ts'
import type { Registered, Registration } from './schemas.ts'
import type { NamedGuardian } from './tables.ts'

export const RegistrationDisabled = failure(
  'REGISTRATION_DISABLED',
  'public_registration_disabled',
  'This institute takes no registrations at present.',
)
export const NotOffered = failure(
  'NOT_FOUND',
  'not_offered',
  'There is no such course or group that takes registrations at present: see GET /public/courses, or leave it out.',
)

/** @throws RegistrationDisabled */
export const checkOpen = async (db: ScopedDb): Promise<void> => {
  if (!(await readSettings(db)).registration.enabled) throw RegistrationDisabled()
}

/**
 * The course that the visitor asks for, directly or by one of its groups. One that is not public is refused like one
 * that does not exist.
 * @returns null when they ask for no course
 * @throws NotOffered
 */
const offeredCourse = async ({ db }: Tx, { courseId, groupId }: Registration): Promise<string | null> => {
  let asked = courseId ?? null
  if (groupId) {
    const group = db
      .selectFrom('group')
      .select('course_id')
      .where('id', '=', groupId)
      .where('status', 'in', ['planned', 'active'])
    const found = await forKeyShare(db, group).executeTakeFirst()
    if (!found || (asked !== null && asked !== found.course_id)) throw NotOffered()
    asked = found.course_id
  }
  if (asked === null) return null
  const course = db
    .selectFrom('course')
    .select('id')
    .where('id', '=', asked)
    .where('is_public', '=', true)
    .where('is_active', '=', true)
  if (!(await forKeyShare(db, course).executeTakeFirst())) throw NotOffered()
  return asked
}

/**
 * Adds the student, with the guardian who has the phone. A stranger may name any phone: whoever has it under another name
 * is linked by the desk, at the conversion.
 */
const addNamed = async (
  tx: Tx,
  student: FamilyStudent,
  enquiry: Parameters<typeof guardiansOfLead>[0] & { guardian: NamedGuardian },
) => {
  const { firstName, lastName } = enquiry.guardian
  const isMeant: IsMeant = (known) => isSameName(`${firstName} ${lastName}`, `${known.firstName} ${known.lastName}`)
  const named = guardiansOfLead(enquiry).map((guardian) => ({ ...guardian, isMeant }))
  const add = (guardians: typeof named) =>
    addFamily({ students: tx, guardians: tx }, { guardians, students: [student] })
  try {
    return { ...(await add(named)), guardianNameDiffers: false }
  } catch (error) {
    // The guardians come first: nothing was added yet.
    if (!(error instanceof ApiError) || error.spec !== GuardianNameDiffers.spec) throw error
    return { ...(await add([])), guardianNameDiffers: true }
  }
}

/**
 * Adds a lead, a student of status lead in the default branch, and links the guardian with the given phone, unless somebody
 * of another name has it.
 */
const addRegistered = async (tx: Tx, body: Registration, guardian: NamedGuardian): Promise<Registered> => {
  const courseId = await offeredCourse(tx, body)
  const enquiry = {
    first_name: body.firstName,
    last_name: body.lastName,
    email: body.email ?? null,
    phone: storedPhone(body.phone, tx.tenant.timezone, ['phone']) ?? null,
    guardian,
    locale: body.locale ?? tx.tenant.defaultLocale,
  }
  const { added } = studentOfLead(enquiry, await lockDefaultBranch(tx))
  const student = { added: { ...added, tags: ['widget-lead'] }, origin: { fromRegistration: true } }
  const { guardians, studentIds, guardianNameDiffers } = await addNamed(tx, student, enquiry)
  const [studentId = '', guardianId = null] = [studentIds[0], guardians[0]?.id]
  const { id: leadId } = await createLeadRecord(tx, body, {
    source: 'widget',
    guardian,
    courseId,
    studentId,
    guardianId,
    guardianNameDiffers,
    unlinkedBranchId: null,
  })
  return { leadId, studentId }
}

/**
 * Takes a registration from the institute's website, or answers with the same one of the last 24 hours. The reply does
 * not reveal whether the guardian existed before, and a stranger cannot change them.
 * @throws RegistrationDisabled, RATE_LIMITED, NotOffered, StudentNumbersUsedUp, VALIDATION_ERROR
 */
export const register = async (
  tx: Tx,
  body: Registration,
  key: { keyId: string; perDay: number },
): Promise<Registered> => {
  await checkOpen(tx.whole)
  const guardian = namedGuardian(tx, body.guardian)
  const { firstName, lastName } = body
  const registrant = { firstName, lastName, guardianPhone: guardian.phone }
  return onceADay(tx, registrant, key, () => addRegistered(tx, body, guardian))
}
