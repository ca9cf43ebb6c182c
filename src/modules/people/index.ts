import { jobKind, type Module } from '#kernel/contract/module.ts'
import type { Inviting } from '#modules/members/index.ts'
import { guardianEndpoints } from './guardians/endpoints.ts'
import { invitationEndpoints } from './invitations/endpoints.ts'
import { linkEndpoints } from './links/endpoints.ts'
import { mergeEndpoints } from './merge/endpoints.ts'
import { personsOfPeople } from './merge/persons.ts'
import type { PersonColumns } from './merge/service.ts'
import { staffEndpoints } from './staff/endpoints.ts'
import { studentEndpoints } from './students/endpoints.ts'
import type { Following } from './students/rehearse.ts'
import { sweepDays, sweepDaysJob } from './students/sweep-days.ts'
import { namesOfPeople } from './names.ts'
import { peopleTables } from './tables.ts'

export { accountUnlinkedJob, OwnAccountLink } from './account.ts'
export { emptyGuardian, emptyStudent, lockToErase, takeNoName, type NoName } from './erase/service.ts'
export { erasedAmong, PersonErased, withoutNotesOfErased } from './erased.ts'
export { addFamilies, addFamily, type FamilyGuardian, type FamilyPart, type FamilyStudent } from './family.ts'
export { Guardian, NewGuardian } from './guardians/schemas.ts'
export {
  changeGuardian,
  GuardianNameDiffers,
  GuardianPhoneTaken,
  guardianRecord,
  type IsMeant,
} from './guardians/service.ts'
export { knownGuardians, knownStudents } from './known.ts'
export { keptStudents, Merged, orMerged } from './merge/merged.ts'
export { recordedName } from './invitations/recorded-name.ts'
export { linkPerson } from './invitations/service.ts'
export { GuardianLink } from './links/schemas.ts'
export { readLink } from './links/service.ts'
export {
  isOfFamily,
  isOwnStudent,
  ownStudentIds,
  ownChildIds,
  ownChildren,
  ownStaffId,
  ownStudentId,
  type OwnChild,
  type Self,
} from './own-records.ts'
export { fullName, searchTextOf } from './person.ts'
export { NewStaff, StaffChanges } from './staff/schemas.ts'
export {
  changeStaff,
  countActive as countActiveStaff,
  createStaff,
  lockNewStaff,
  staffRecord,
} from './staff/service.ts'
export { countStudent, countStudentsInPlan, isInPlan, STUDENTS_IN_PLAN } from './students/count.ts'
export { lockNewStudents, StudentNumbersUsedUp, StudentNumberTaken } from './students/numbers.ts'
export { checkBirthDate } from './students/birth-date.ts'
export { studentRecord } from './students/row.ts'
export { NewStudent, Student, StudentChanges, StudentDetail } from './students/schemas.ts'
export { pausesOf, type Pause } from './students/pauses.ts'
export { changeStudent } from './students/service.ts'
export { changeStatus } from './students/status.ts'

export const peopleModule = ({
  persons,
  following,
  ...inviting
}: Inviting & { persons: PersonColumns; following: Following }): Module => ({
  name: 'people',
  tags: {
    students: 'Everybody who learns, did, or asked to.',
    'guardian-links': 'How students and guardians belong together.',
    guardians: 'Parents and others who answer for students.',
    staff: 'Who works at the institute, with or without an account.',
  },
  events: ['student.created', 'student.updated', 'student.status_changed'],
  tables: peopleTables,
  persons: personsOfPeople,
  reads: { branches: ['branch'], groups: ['enrollment', 'group'], sessions: ['session'] },
  names: namesOfPeople,
  endpoints: [
    ...studentEndpoints(following),
    ...linkEndpoints,
    ...guardianEndpoints,
    ...staffEndpoints,
    ...invitationEndpoints(inviting),
    ...mergeEndpoints(persons),
  ],
  jobs: [jobKind(sweepDaysJob, { handle: sweepDays })],
  cronJobs: [{ cron: '1 * * * *', job: sweepDaysJob, atStart: true }],
})
