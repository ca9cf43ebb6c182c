import type { InferOutput } from 'valibot'
import { readContactsOf } from '#modules/directory/index.ts'
import { groupRecord } from '#modules/groups/index.ts'
import type { Block } from '#ports/papers/port.ts'
import { readRecord } from '#runtime/records/records.ts'
import { facts, languageOf, type Language, type MakePaper } from './frame.ts'
import type { GroupPaperQuery } from './schemas.ts'
import { code, written } from './text.ts'
import { teacherOf } from './group.ts'

type Contact = Awaited<ReturnType<typeof readContactsOf>>[number]

/** The lines of one student: one for each guardian, then one for the student's own phone. */
const linesOf = (
  { studentName, phone, guardians }: Contact,
  number: number,
  { words: { contacts: words }, phone: phoneText }: Language,
): string[][] => {
  const people = [
    ...guardians.map((one) => [
      written(one.fullName),
      words.relations[one.relationship],
      one.phone === null ? '' : phoneText(one.phone),
    ]),
    ...(phone === null ? [] : [['', words.own, phoneText(phone)]]),
  ]
  const lines = people.length === 0 ? [['', '', '']] : people
  return lines.map((line, at) => (at === 0 ? [code(number), written(studentName), ...line] : ['', '', ...line]))
}

const tableOf = (contacts: readonly Contact[], language: Language): Block => {
  const { contacts: words, roster, phone } = language.words
  return contacts.length === 0
    ? { kind: 'text', title: null, text: roster.nobody }
    : {
        kind: 'table',
        title: null,
        columns: [
          { head: code('#'), align: 'start', width: 'content' },
          { head: roster.student, align: 'start', width: 'share' },
          { head: words.guardian, align: 'start', width: 'share' },
          { head: words.relation, align: 'start', width: 'content' },
          { head: phone, align: 'start', width: 'content' },
        ],
        rows: contacts.flatMap((contact, at) => linesOf(contact, at + 1, language)),
      }
}

/** @throws NotFound */
export const contactsPaper: MakePaper<InferOutput<typeof GroupPaperQuery>> = async (
  { db, whole, tenant },
  id,
  { locale },
) => {
  const group = await readRecord(db, groupRecord, id)
  const contacts = await readContactsOf(db, id)
  const language = languageOf(tenant, locale)
  const { words } = language
  return {
    language,
    draft: {
      number: written(group.name),
      fileName: `contacts-${group.name}`,
      title: words.contacts.title,
      date: null,
      branchId: group.branchId,
      footer: words.contacts.private,
      isOfficial: false,
      blocks: [
        facts(
          [words.report.course, written(group.courseName)],
          [words.roster.teacher, await teacherOf(whole, group.teacherStaffId)],
          [words.roster.count, code(contacts.length)],
        ),
        tableOf(contacts, language),
      ],
    },
  }
}
