import type { Module } from '#kernel/contract/module.ts'
import { proposedChangeEndpoints } from './endpoints.ts'
import { proposedChangeTables } from './tables.ts'

export { countProposals, EDITING } from './desk.ts'
export { fieldsOf, type Field } from './fields.ts'
export { changeProposedJob, proposalDecidedJob, type ProposalNotice } from './notices.ts'

/** What families propose to change in what is kept of them. */
export const proposedChangesModule: Module = {
  name: 'proposed-changes',
  tags: { 'proposed-changes': 'What families propose to change in what is kept of them.' },
  tables: proposedChangeTables,
  persons: (['student', 'guardian'] as const).map((of) => ({
    of,
    table: 'proposed_change',
    column: `${of}_id`,
    // Somebody proposed the same of both records, or something else: what they proposed of the one that stays counts.
    once: [['by_user_id']],
    where: ['status', 'open'] as const,
    twice: 'dropped' as const,
  })),
  reads: { identity: ['user'], people: ['guardian', 'guardian_link', 'student'] },
  endpoints: proposedChangeEndpoints,
}
