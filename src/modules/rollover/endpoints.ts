import { change } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { rollOver } from './begin.ts'
import { AlreadyRolledOver, BeginsBeforeEnd, GroupsCancelled } from './failures.ts'
import { NewRollover, Rollover } from './schemas.ts'

export const rolloverEndpoints = [
  change({
    id: 'groups.rollover',
    method: 'POST',
    path: '/groups/rollover',
    summary: 'Let groups go on in a new year',
    description:
      'Makes a new group for each, with its course, branch, room, capacity and fee, and takes over the weekly times of its last week, the teacher, the recurring fees and the students: they are enrolled from `startsOn`. Fees that had an end (`validTo`) end with the new group; those that ended before the last month of the former group do not go on. The new groups are planned until that day comes. A former group is completed, and its enrollments with it, after its last day; where it has none, that is the day before `startsOn`. ' +
      'Students do not go on whose place ended before that of the group, or is going to before the new ones begin, who withdrew or graduated, or will have by then, who pause, or have a place already in a later group of the course; where the capacity is less than they are, those who came first do. ' +
      'It needs enrollments.write too, within the reach of both permissions. Groups that go on already on some of these days are 409, those that are cancelled, and those that are not over by `startsOn`. The new groups are made at once; students, lessons and fees of many groups follow within minutes (`isDone` is then false), also when the server stops on the way. Clashes are looked for among the weekly times of the planned and active groups within reach. ' +
      'With `dryRun` nothing is kept, and the status is 200: the reply says what would be done, and a plan without room for the groups is told by `quota` and not refused.',
    access: 'groups.write',
    body: NewRollover,
    status: 201,
    otherStatuses: [200],
    reply: Rollover,
    fails: [NotFound, QuotaExceeded, GroupsCancelled, AlreadyRolledOver, BeginsBeforeEnd],
    hasParts: true,
    handle: ({ tx, caller, body }) => rollOver(tx, caller, body),
  }),
]
