import { change } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import { OwnAccountLink } from '../account.ts'
import { PermissionEscalation } from '#modules/members/index.ts'
import { PersonErased } from '../erased.ts'
import { Merged, orMerged } from './merged.ts'
import { GuardianMerge, Merge, StudentMerge } from './schemas.ts'
import { mergeGuardians, MergeRefused, mergeStudents, MergeWithItself, type PersonColumns } from './service.ts'

const DESCRIPTION =
  'Everything that hangs on `otherId` moves, numbers stay on their papers, and what this record lacks is taken from the other. The other is kept as what it was; its id answers 404 with details {mergedInto} from then on. What there is once for a person (a result of an exam, an open enrollment in a group, attendance of a session, access to a course, an account) stands against it where both have it: 409 with details.against. An account moves by the rules of PATCH. With `dryRun` nothing is changed, and the reply says what would move and what stands against it. The caller must reach both.'

export const mergeEndpoints = (columns: PersonColumns) => {
  const fails = [NotFound, Merged, PersonErased, MergeWithItself, MergeRefused, PermissionEscalation, OwnAccountLink]
  return [
    change({
      id: 'students.merge',
      method: 'POST',
      path: '/students/{id}/merge',
      summary: 'Merge two records of one student',
      description: `${DESCRIPTION} Of two that are not alike, the student stands as the one who is further: active, paused, graduated, withdrawn, lead.`,
      access: 'students.write',
      body: Merge,
      reply: StudentMerge,
      fails,
      hasParts: true,
      handle: (context) =>
        orMerged(context, async ({ tx, caller, params, body }) => {
          const merge = await mergeStudents(tx, { ...body, id: params.id, caller, columns })
          return body.dryRun ? new Rehearsed(merge) : merge
        }),
    }),
    change({
      id: 'guardians.merge',
      method: 'POST',
      path: '/guardians/{id}/merge',
      summary: 'Merge two records of one guardian',
      description: DESCRIPTION,
      access: 'guardians.write',
      body: Merge,
      reply: GuardianMerge,
      fails,
      hasParts: true,
      handle: (context) =>
        orMerged(context, async ({ tx, caller, params, body }) => {
          const merge = await mergeGuardians(tx, { ...body, id: params.id, caller, columns })
          return body.dryRun ? new Rehearsed(merge) : merge
        }),
    }),
  ]
}
