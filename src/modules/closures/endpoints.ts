import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound, VersionConflict } from '#kernel/values/errors.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { yearOf, localDate } from '#kernel/time/zone.ts'
import { readRecord } from '#runtime/records/records.ts'
import { proposeClosures } from './proposals.ts'
import {
  Closure,
  ClosureChanges,
  ClosureQuery,
  Closures,
  HolidayProposals,
  NewClosure,
  NewClosures,
  ProposalQuery,
} from './schemas.ts'
import { changeClosure, closureRecord, createClosure, createClosures, deleteClosure, listClosures } from './service.ts'

const PLACES =
  'Days of a branch are for who writes its groups; days on which all branches are closed, for who writes the groups of the whole institute.'

export const closureEndpoints = [
  read({
    id: 'closures.list',
    path: '/closures',
    summary: 'List the days on which the institute is closed, first closed first',
    access: 'groups.read',
    query: ClosureQuery,
    reply: pageOf(Closure),
    handle: listClosures,
  }),
  read({
    id: 'closures.proposals',
    path: '/closures/proposals',
    summary: 'The holidays of a year on which a school may close',
    description:
      'In one answer, first begun first: Jewish ones, Muslim ones by the calendar of Umm al-Qura, Christian ones by both computations, and those of the country of the institute’s time zone. They close nothing: POST /closures/many does.',
    access: 'groups.read',
    query: ProposalQuery,
    reply: HolidayProposals,
    handle: ({ db, tenant, now, query }) =>
      proposeClosures(db, query.year ?? yearOf(localDate(now, tenant.timezone)), tenant.timezone),
  }),
  change({
    id: 'closures.create',
    method: 'POST',
    path: '/closures',
    summary: 'Close the institute, or a branch, on some days',
    description:
      'The sessions within, of the groups of the branch, are cancelled with its name as their reason, at once or, where they are many, within minutes; held ones stay. As long as it stands, none is made there. The students, their guardians and the teachers get one message for all of them, where some are still to come. ' +
      PLACES,
    access: 'groups.write',
    body: NewClosure,
    status: 201,
    reply: Closure,
    fails: [NotFound],
    handle: ({ tx, caller, body }) => createClosure(tx, caller, body),
  }),
  change({
    id: 'closures.create-many',
    method: 'POST',
    path: '/closures/many',
    summary: 'Close the institute, or a branch, on several holidays at once',
    description:
      'Each as POST /closures does it; all of them, or none. Everybody whom it concerns gets one message, which names them all. ' +
      PLACES,
    access: 'groups.write',
    body: NewClosures,
    status: 201,
    reply: Closures,
    fails: [NotFound],
    handle: ({ tx, caller, body }) => createClosures(tx, caller, body),
  }),
  read({
    id: 'closures.read',
    path: '/closures/{id}',
    summary: 'Read closed days',
    access: 'groups.read',
    reply: Closure,
    handle: ({ db, params }) => readRecord(db, closureRecord, params.id),
  }),
  change({
    id: 'closures.update',
    method: 'PATCH',
    path: '/closures/{id}',
    summary: 'Change closed days',
    description:
      'Sessions on days that are open again come back, and those on days that are now closed are cancelled. ' + PLACES,
    access: 'groups.write',
    body: ClosureChanges,
    reply: Closure,
    fails: [NotFound, VersionConflict],
    handle: ({ tx, caller, params, body }) => changeClosure(tx, caller, { ...body, id: params.id }),
  }),
  change({
    id: 'closures.delete',
    method: 'DELETE',
    path: '/closures/{id}',
    summary: 'Open closed days again',
    description:
      'What it cancelled comes back, what it kept from being made is made, and people are told once. ' + PLACES,
    access: 'groups.write',
    reply: Ok,
    fails: [NotFound],
    handle: ({ tx, caller, params }) => deleteClosure(tx, caller, params.id),
  }),
]
