import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { Cover, CoverPlan, CoverQuery, NewCover } from './schemas.ts'
import { listCovers, planCover, undoCover } from './service.ts'

export const coverEndpoints = [
  read({
    id: 'covers.list',
    path: '/covers',
    summary: 'List which teachers stand in for others, first begun first',
    access: 'groups.read',
    query: CoverQuery,
    reply: pageOf(Cover),
    handle: listCovers,
  }),
  change({
    id: 'covers.plan',
    method: 'POST',
    path: '/staff/{id}/cover',
    summary: 'Let another teacher stand in from day to day',
    description:
      'The sessions of the absent teacher within that were neither held nor cancelled are given to `substituteStaffId`, those in `exceptSessionIds` left out; sessions that are made later within the days get them too. A clash keeps nothing from being given: with `dryRun` nothing is changed (200), and the reply has each session with what else they have then. With `others`, somebody else stands in on some of the days: it is one change, which makes a cover for each. Whoever stands in is told once, in one message with the lessons to come; families once, where `tellFamilies` says so. Several can stand in for one teacher, one after the other or, by several requests, group by group: a session that was given already is not given again. Under a role for one branch or for groups, the sessions within its reach.',
    access: 'groups.write',
    body: NewCover,
    status: 201,
    otherStatuses: [200],
    reply: CoverPlan,
    fails: [NotFound],
    handle: async ({ tx, params, body }) => {
      const plan = await planCover(tx, params.id, body)
      return body.dryRun ? new Rehearsed(plan) : plan
    },
  }),
  change({
    id: 'covers.undo',
    method: 'DELETE',
    path: '/covers/{id}',
    summary: 'End a cover, and give back what it gave',
    description:
      'Sessions that it gave go back to whoever had them before. Those that were held stay as they are, and so do those that somebody gave to a third teacher since. Whoever stood in is told once, where lessons are still to come.',
    access: 'groups.write',
    reply: Ok,
    handle: ({ tx, params }) => undoCover(tx, params.id),
  }),
]
