import type { FileReader, ListFile } from '#kernel/contract/list-file.ts'
import { branchNames } from '#modules/branches/index.ts'
import { workersCalled } from '#modules/members/index.ts'
import { detailsIn } from '#shared/audit-changes.ts'
import { recordOf, sentenceOf, wayOf, whatOf, whoOf, type Telling } from '#shared/audit-sentence.ts'
import { AUDIT_WORDS } from '#shared/audit-words.ts'
import { Written } from '#shared/written.ts'
import type { AuditEntry } from './entries.ts'
import { HEADS } from './words/index.ts'

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

/** What the page of the history knows of branches and of those who work here. */
const tellingFor = async (
  entries: readonly AuditEntry[],
  { locale, zone, currency, whole, may }: FileReader,
): Promise<Telling> => {
  const named = entries.map(({ before, after, actorUserId, entityId }) => [before, after, actorUserId, entityId])
  const ids = [...new Set(JSON.stringify(named).match(UUID))]
  const branches = await branchNames(whole, ids)
  const accounts = new Map(may('members.read') ? await workersCalled(whole, ids) : [])
  const names = new Map([...branches.map(({ id, name }) => [id, name] as const), ...accounts])
  return { words: AUDIT_WORDS[locale], format: new Written(locale, zone), names, accounts, currency }
}

/** The history as its page tells it: when, who, the sentence, the record, before and after; the code of the act for programs. */
export const historyFile: ListFile<readonly AuditEntry[]> = {
  heads: (locale) => {
    const { when, who, what, record, before, after, action } = HEADS[locale]
    return [when, who, what, record, before, after, action]
  },
  rows: async (entries, reader) => {
    const telling = await tellingFor(entries, reader)
    return entries.map((entry) => {
      const name = recordOf(entry, telling)
      return [
        { instant: entry.createdAt },
        [whoOf(entry, telling), ...wayOf(entry, telling)].join(' · '),
        sentenceOf(entry, telling),
        name === '' ? whatOf(entry, telling) : telling.words.detail(whatOf(entry, telling), name),
        detailsIn(entry, 'before', telling).join('; '),
        detailsIn(entry, 'after', telling).join('; '),
        entry.action,
      ]
    })
  },
}
