import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound, VersionConflict } from '#kernel/values/errors.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { readRecord } from '#runtime/records/records.ts'
import { accountFails, accountOfNew, ACCOUNT_RULE } from '../account.ts'
import { PersonErased } from '../erased.ts'
import { Merged, orMerged } from '../merge/merged.ts'
import { createStudent } from './create.ts'
import { listStudents } from './list.ts'
import { StudentNumbersUsedUp, StudentNumberTaken } from './numbers.ts'
import { StudentInUse, studentRecord } from './row.ts'
import {
  NewStudent,
  StatusChange,
  StatusConsequences,
  Student,
  StudentChanges,
  StudentDetail,
  StudentQuery,
} from './schemas.ts'
import { rehearseStatus, type Following } from './rehearse.ts'
import { changeStudent, deleteStudent } from './service.ts'
import { changeStatusOn, StatusMoveRefused } from './status.ts'

export const studentEndpoints = (following: Following) => [
  read({
    id: 'students.list',
    path: '/students',
    summary: 'List students',
    description:
      'Newest first. Every word of `q` occurs in the name, number, phone or email: case, accents, harakat, hamza and niqqud do not count, a phone may be written nationally or internationally, and a word of one or two characters must begin a word; of more than eight different words the first eight are looked for. `tag` is matched exactly. Filters narrow together.',
    access: 'students.read',
    tool: {
      name: 'students_find',
      title: 'Find students',
      description:
        'Lists students, newest first, ten at a time. Narrow it with q (words of the name, number, phone or email), status, branchId, groupId or tag. Gives the studentId that other tools take.',
    },
    query: StudentQuery,
    reply: pageOf(Student),
    handle: listStudents,
  }),
  change({
    id: 'students.create',
    method: 'POST',
    path: '/students',
    summary: 'Add a student',
    description: `The student is a lead. Without \`studentNumber\` the server counts up from S-000001 and skips numbers that are taken; a number of a student who was deleted is not given out again. Everything else that PATCH /students/{id} takes may be said at once; GET /students/{id} answers it. Empty email and phone count as none; a national phone takes the country of the institute’s timezone. Students count against the plan’s maxStudents until they are withdrawn or graduate. ${ACCOUNT_RULE} An account stands behind one student at most (409).`,
    access: 'students.write',
    body: NewStudent,
    status: 201,
    reply: Student,
    fails: [NotFound, QuotaExceeded, StudentNumberTaken, StudentNumbersUsedUp, ...accountFails],
    handle: async ({ tx, caller, body: { userId, ...body } }) =>
      createStudent(tx, body, { account: await accountOfNew(tx, caller, { kind: 'student', userId }) }),
  }),
  read({
    id: 'students.read',
    path: '/students/{id}',
    summary: 'Read a student',
    access: 'students.read',
    tool: {
      name: 'student_read',
      title: 'Read a student',
      description: 'Gives all that is recorded of one student: contact, address, birth date, status, tags and notes.',
      params: { id: 'studentId' },
    },
    reply: StudentDetail,
    fails: [Merged],
    handle: (context) => orMerged(context, ({ db, params }) => readRecord(db, studentRecord, params.id)),
  }),
  change({
    id: 'students.update',
    method: 'PATCH',
    path: '/students/{id}',
    summary: 'Change a student',
    description: `A field that is left out stays, null clears it. ${ACCOUNT_RULE} \`tags\` replaces all tags: at most 50 of 1 to 50 characters, kept without repeats and in alphabetical order. Only what really changes counts: when nothing does, the version stays and no event is sent. The number and the status are not changed here.`,
    access: 'students.write',
    body: StudentChanges,
    reply: StudentDetail,
    fails: [Merged, PersonErased, VersionConflict, ...accountFails],
    handle: (context) =>
      orMerged(context, ({ tx, caller, params, body }) => changeStudent(tx, caller, { ...body, id: params.id })),
  }),
  change({
    id: 'students.change-status',
    method: 'POST',
    path: '/students/{id}/status',
    summary: 'Move a student to another status',
    description:
      'Moves: lead to active or withdrawn; active to paused, graduated or withdrawn; paused to active or withdrawn; withdrawn and graduated to active. Any other, also to the present status, is 409 with details {status, allowed}. The reason is kept in the audit log. ' +
      'Days lie at most 366 days back or ahead, and count in the institute’s zone. A pause lasts from pausedFrom to pausedTo: the student becomes paused on its first day and active again on the day after its last, and a pause that is over by now is only recorded, so that billing runs know it. A pause takes the place of those that it meets; a student who pauses can be sent a new one. ' +
      'Withdrawing and graduating drop the active group enrollments, and make room in the plan’s maxStudents; who comes back counts again, and who registered on the website counts from here on. With leftOn the enrollments end on that day; where it lies ahead, the status changes on it and `leavingAs` says so until then. `active` also takes back what lies ahead: a pause that has not begun, and a last day with the ends that it set.',
    access: 'students.write',
    body: StatusChange,
    reply: StudentDetail,
    fails: [Merged, PersonErased, QuotaExceeded, StatusMoveRefused],
    handle: (context) =>
      orMerged(context, ({ tx, params, body }) => changeStatusOn(tx, params.id, body, following.groups)),
  }),
  change({
    id: 'students.rehearse-status',
    method: 'POST',
    path: '/students/{id}/status/rehearsal',
    summary: 'Ask what would follow from a change of a student’s status',
    description: 'Takes what POST /students/{id}/status takes, is refused as that is, and changes nothing.',
    access: 'students.write',
    body: StatusChange,
    reply: StatusConsequences,
    fails: [Merged, PersonErased, QuotaExceeded, StatusMoveRefused],
    handle: (context) =>
      orMerged(context, ({ tx, caller, params, body }) =>
        rehearseStatus(tx, { id: params.id, caller, body }, following),
      ),
  }),
  change({
    id: 'students.delete',
    method: 'DELETE',
    path: '/students/{id}',
    summary: 'Delete a student who was added by mistake',
    description:
      'The links to guardians and the lead that led to the student go along, the guardians stay. 409 once enrollments, attendance, invoices or other records of the student exist.',
    access: 'students.write',
    reply: Ok,
    fails: [Merged, PersonErased, StudentInUse],
    handle: (context) => orMerged(context, ({ tx, params }) => deleteStudent(tx, params.id)),
  }),
]
