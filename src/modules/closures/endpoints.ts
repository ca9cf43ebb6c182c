import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound, VersionConflict } from '#kernel/values/errors.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { yearOf, localDate } from '#kernel/time/zone.ts'
import { readRecord } from '#runtime/records/records.ts'
import { proposeClosures } from './proposals.ts'
import { Closure, ClosureChanges, ClosureQuery, HolidayProposals, NewClosure, ProposalQuery } from './schemas.ts'
import { changeClosure, closureRecord, createClosure, deleteClosure, listClosures } from './service.ts'

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
      'In one answer, first begun first: Jewish ones, Muslim ones by the calendar of Umm al-Qura, Christian ones by both computations, and those of the country of the institute’s time zone. They close nothing: POST /closures does.',
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
      'The sessions within, of the groups of the branch, are cancelled with its name as their reason, at once or, where they are many, within minutes; held ones stay. As long as it stands, none is made there. The students, their guardians and the teachers get one message for all of them, where some are still to come.',
    access: 'groups.write',
    wholeTenant: true,
    body: NewClosure,
    status: 201,
    reply: Closure,
    fails: [NotFound],
    handle: ({ tx, body }) => createClosure(tx, body),
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
    description: 'Sessions on days that are open again come back, and those on days that are now closed are cancelled.',
    access: 'groups.write',
    wholeTenant: true,
    body: ClosureChanges,
    reply: Closure,
    fails: [NotFound, VersionConflict],
    handle: ({ tx, params, body }) => changeClosure(tx, params.id, body),
  }),
  change({
    id: 'closures.delete',
    method: 'DELETE',
    path: '/closures/{id}',
    summary: 'Open closed days again',
    description: 'What it cancelled comes back, what it kept from being made is made, and people are told once.',
    access: 'groups.write',
    wholeTenant: true,
    reply: Ok,
    handle: ({ tx, params }) => deleteClosure(tx, params.id),
  }),
]
