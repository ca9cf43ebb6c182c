import { read } from '#kernel/contract/endpoint.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { localDate } from '#kernel/time/zone.ts'
import { findCourses, findGroups, findGuardians, findStaff, findStudents, type Find } from './find.ts'
import { findCreditNotes, findInvoices, findReceipts, findRefunds } from './papers.ts'
import { sideBySide } from './matches.ts'
import { SearchResults, searchQuery, type SearchedType } from './schemas.ts'

/** In the order in which the results stand. */
const searched = (today: () => string): readonly [SearchedType, Permission, Find][] => [
  ['student', 'students.read', findStudents],
  ['guardian', 'guardians.read', findGuardians],
  ['staff', 'staff.read', findStaff],
  ['group', 'groups.read', findGroups],
  ['course', 'courses.read', findCourses],
  ['invoice', 'invoices.read', findInvoices(today)],
  ['receipt', 'invoices.read', findReceipts(today)],
  ['credit_note', 'invoices.read', findCreditNotes(today)],
  ['refund', 'invoices.read', findRefunds(today)],
]

export const searchEndpoints = [
  read({
    id: 'search',
    path: '/search',
    summary: 'Search people, groups, courses, and papers about money',
    description:
      'Looks at each type for which the caller has the read permission, within the reach of that permission. All words of `q` must match, at most eight; a word of one or two letters matches at the beginning of a word only. ' +
      'Case, Latin accents, Arabic diacritics and forms of hamza and alef, and Hebrew niqqud and final letters make no difference. People are found by name, number, phone and email, groups by name, courses by name and code, invoices, receipts, credit notes and refunds by number: its beginning (INV-2026-0001, R-2026-0001) or its last part (123). ' +
      'At most `limit` results of each type, the best first: what is exactly what was typed, then what begins with it, then what has its words; truncatedTypes names the types of which there are more. label is the name or number; sublabel tells two of the same name apart: student number, phone, title, course, code, student or payer, or null.',
    access: 'tenant',
    tool: {
      name: 'records_search',
      title: 'Search everything',
      description:
        'Searches people, groups, courses, and papers about money by a few words, such as a name, a phone number or the number of an invoice or a receipt, and gives the ids that other tools take. Begin here when you know a name and need an id.',
    },
    query: searchQuery,
    reply: SearchResults,
    handle: async ({ query: { q, limit }, reachedBy, now, tenant }) => {
      const types: { type: SearchedType; db: ScopedDb; find: Find }[] = []
      for (const [type, permission, find] of searched(() => localDate(now, tenant.timezone))) {
        const db = await reachedBy(permission)
        if (db) types.push({ type, db, find })
      }
      const found = await sideBySide(
        types.map(
          ({ db, find }) =>
            (readMatches) =>
              find(db, { q, limit }, readMatches),
        ),
      )
      const reply: SearchResults = { query: q, results: [], truncatedTypes: [] }
      for (const [index, { type }] of types.entries()) {
        const hits = found[index] ?? []
        reply.results.push(...hits.slice(0, limit).map((hit) => ({ type, ...hit })))
        if (hits.length > limit) reply.truncatedTypes.push(type)
      }
      return reply
    },
  }),
]
