import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { localDate } from '#kernel/time/zone.ts'
import { announcedFrom } from '#modules/absences/index.ts'
import { courseOfStudent, coursesOfStudent, type OwnCourseDetail } from '#modules/curriculum/index.ts'
import { publishedResults } from '#modules/exams/index.ts'
import { readReports } from './own-family.ts'
import { ownPeople } from './own-people.ts'
import { LATEST_RESULTS, type OwnStudent } from './own-schemas.ts'
import { readGroups, readRates } from './students.ts'

interface Asked {
  whole: ScopedDb
  caller: Caller
  tenant: TenantInfo
  now: string
}

const NOTHING = { groups: [], attendanceRate30d: null, absences: [], results: [], reports: [], courses: [] }

/** A video course of the caller as a student, or of a child. @throws NotFound for anybody else, and for the course */
export const readCourseOfOwn = async (
  { whole, caller }: Pick<Asked, 'whole' | 'caller'>,
  studentId: string,
  courseId: string,
): Promise<OwnCourseDetail> => {
  const person = (await ownPeople(whole, caller)).find((one) => one.studentId === studentId)
  if (!person?.seesLearning) throw NotFound()
  return courseOfStudent(whole, studentId, courseId)
}

/** What the caller sees of themself as a student, or of a child. @throws NotFound for anybody else */
export const readOwnStudent = async (asked: Asked, studentId: string): Promise<OwnStudent> => {
  const { whole, caller, tenant, now } = asked
  const person = (await ownPeople(whole, caller)).find((one) => one.studentId === studentId)
  if (!person) throw NotFound()
  if (!person.seesLearning) return { ...person, ...NOTHING }
  const absences = await announcedFrom(whole, studentId, localDate(now, tenant.timezone))
  return {
    ...person,
    groups: (await readGroups(whole, [studentId])).get(studentId) ?? [],
    attendanceRate30d: (await readRates({ ...asked, db: whole }, [studentId])).get(studentId) ?? null,
    absences: absences.map(({ id, from_date: from, to_date: to, reason }) => ({ id, from, to, reason })),
    results: await publishedResults(whole, studentId, LATEST_RESULTS),
    reports: tenant.features.basic_reports ? await readReports(whole, studentId) : [],
    courses: tenant.features.courses_video ? await coursesOfStudent(whole, studentId) : [],
  }
}
