import { readCloseRow, showClose, type ClosesSeen } from '#modules/billing/index.ts'
import { facts, languageOf, type MakePaper, type PaperContext } from './frame.ts'
import type { TillPaperQuery } from './schemas.ts'
import { amount, code, written } from './text.ts'

type Asked = Omit<ClosesSeen, 'db'> & Pick<PaperContext, 'tenant'>

/** @throws NotFound */
export const tillPaper = async (
  asked: Asked,
  id: string,
  { locale }: TillPaperQuery,
): ReturnType<MakePaper<TillPaperQuery>> => {
  const close = showClose(await readCloseRow(asked, id))
  const language = languageOf(asked.tenant, locale)
  const { words, dates } = language
  const { till } = words
  return {
    language,
    draft: {
      number: written(close.userName),
      fileName: `${till.title} ${close.closedAt.slice(0, 10)}`,
      title: till.title,
      date: close.closedAt.slice(0, 10),
      branchId: close.branchId,
      footer: null,
      isOfficial: false,
      blocks: [
        facts(
          [till.person, written(close.userName)],
          [till.since, dates.moment(close.since)],
          [till.closedAt, dates.moment(close.closedAt)],
        ),
        {
          kind: 'table',
          title: null,
          columns: [
            { head: till.method, align: 'start', width: 'share' },
            { head: till.entries, align: 'right', width: 'content' },
            { head: till.expected, align: 'right', width: 'content' },
            { head: till.counted, align: 'right', width: 'content' },
            { head: till.difference, align: 'right', width: 'content' },
          ],
          rows: close.lines.map((line) => [
            words.methods[line.method],
            code(line.entries),
            amount(line.expected),
            amount(line.counted),
            amount(line.difference),
          ]),
        },
        ...(close.held.length === 0
          ? []
          : [
              {
                kind: 'table' as const,
                title: till.cheques,
                columns: [
                  { head: till.papers, align: 'right' as const, width: 'content' as const },
                  { head: till.counted, align: 'right' as const, width: 'content' as const },
                  { head: till.comeTo, align: 'right' as const, width: 'content' as const },
                ],
                rows: close.held.map(({ count, counted, total }) => [
                  code(count),
                  counted === null ? '' : code(counted),
                  amount(total),
                ]),
              },
            ]),
        ...(close.note === null ? [] : [{ kind: 'text' as const, title: till.note, text: written(close.note) }]),
        { kind: 'signatures', labels: [till.countedBy, till.receivedBy] },
      ],
    },
  }
}
