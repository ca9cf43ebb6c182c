import type { AuditWords } from '../../../shared/audit-words.ts'
import type { Words } from '../../words/words.ts'

/** The words of the history, out of those that the console has loaded. */
export const auditWordsOf = ({ history, shell, members, webhooks, features }: Words): AuditWords => {
  const titles = Object.entries(features.each).map(([key, { title }]) => [key, title])
  return {
    ...history,
    roles: shell.roles,
    roleIn: members.roleIn,
    permissions: members.permissions,
    events: webhooks.events,
    featureTitles: Object.fromEntries(titles) as AuditWords['featureTitles'],
  }
}
