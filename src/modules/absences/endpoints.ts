import { change, read } from '#kernel/contract/endpoint.ts'
import { Merged, orMerged, PersonErased } from '#modules/people/index.ts'
import { Ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { Absence, AbsenceQuery, NewAbsence } from './schemas.ts'
import { announceAbsence, listAbsences, listAbsencesOfStudent, withdrawAbsence } from './service.ts'

export const absenceEndpoints = [
  read({
    id: 'absences.list',
    path: '/absences',
    summary: 'List the absences that were announced, last begun first',
    access: 'attendance.read',
    query: AbsenceQuery,
    reply: pageOf(Absence),
    handle: listAbsences,
  }),
  read({
    id: 'absences.of-student',
    path: '/students/{id}/absences',
    summary: 'List the announced absences of a student, last begun first',
    access: 'attendance.read',
    query: pageQuery({}),
    reply: pageOf(Absence),
    fails: [Merged],
    handle: (context) => orMerged(context, listAbsencesOfStudent),
  }),
  change({
    id: 'absences.announce',
    method: 'POST',
    path: '/students/{id}/absences',
    summary: 'Announce that a student does not come',
    description:
      'By the office, or by a guardian for their own children (403 for others). The rosters of these days show it and propose `excused`; of an absence that was announced nobody is told.',
    access: ['students.write', 'attendance.mark'],
    ownToo: true,
    body: NewAbsence,
    status: 201,
    reply: Absence,
    fails: [PersonErased],
    handle: ({ tx, caller, params, body }) => announceAbsence(tx, caller, params.id, body),
  }),
  change({
    id: 'absences.withdraw',
    method: 'DELETE',
    path: '/absences/{id}',
    summary: 'Take back an announced absence',
    description: 'By the office, or by a guardian of the student. Entries of attendance stay as they are.',
    access: ['students.write', 'attendance.mark'],
    ownToo: true,
    reply: Ok,
    handle: ({ tx, caller, params }) => withdrawAbsence(tx, caller, params.id),
  }),
]
