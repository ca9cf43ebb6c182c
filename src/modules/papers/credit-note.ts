import { keptOfNote, readNote } from '#modules/billing/index.ts'
import { facts, languageOf, type MakePaper } from './frame.ts'
import { partyLines } from './people.ts'
import type { MoneyPaperQuery } from './schemas.ts'
import { spelled } from './spelled/index.ts'
import { amount, code, written } from './text.ts'

/** @throws NotFound */
export const creditNotePaper: MakePaper<MoneyPaperQuery> = async (context, id, { locale, copy }) => {
  const { db, tenant } = context
  const note = await readNote(db, id)
  const { kept, branch_id: branchId } = await keptOfNote(db, id)
  const { student, payer, issuer } = kept
  const language = languageOf({ ...tenant, timezone: issuer.timezone }, locale ?? kept.locale)
  const { words, dates } = language
  const edition = copy ? 'copy' : await context.editionOf({ kind: 'credit_note', id })
  const lowered = { ...note.amount, amountMinor: note.amount.amountMinor - note.toCredit.amountMinor }
  return {
    language,
    draft: {
      number: code(note.number),
      fileName: note.number,
      title: words.creditNote.title,
      date: note.issueDate,
      branchId,
      note: words[edition],
      footer: null,
      isOfficial: true,
      issuer,
      blocks: [
        facts(
          [words.payer, payer && partyLines(payer, language)],
          [words.invoice.issueDate, dates.day(note.issueDate)],
          [
            words.student,
            [payer ? written(student.fullName) : partyLines(student, language), code(student.studentNumber)].join('\n'),
          ],
          [words.creditNote.invoice, code(note.invoiceNumber)],
          [words.creditNote.reason, written(note.reason)],
        ),
        {
          kind: 'table',
          title: null,
          columns: [
            { head: words.invoice.description, align: 'start', width: 'share' },
            { head: words.invoice.amount, align: 'right', width: 'content' },
          ],
          rows: note.lines.map((line) => [written(line.description), amount(line.amount)]),
        },
        { kind: 'sums', sums: [{ label: words.creditNote.total, value: amount(note.amount) }] },
        facts([words.receipt.inWords, spelled(language.locale, note.amount)]),
        facts(
          [words.creditNote.lowered, lowered.amountMinor === 0 ? null : amount(lowered)],
          [words.creditNote.toCredit, note.toCredit.amountMinor === 0 ? null : amount(note.toCredit)],
        ),
      ],
    },
  }
}
