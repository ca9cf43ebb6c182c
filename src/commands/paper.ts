import { LOCALES } from '#shared/locale.ts'
import { PAPER_KINDS, PAPER_SIZES, writePaper } from '#app/operator/paper-command.ts'
import { oneOf, result, WrongUsage, type Command } from './command.ts'
import { openConfig } from './open.ts'

const optional = <T extends string>(choices: readonly T[], given: string | undefined, what: string): T | undefined =>
  given === undefined ? undefined : oneOf(choices, given, what)

export const paper: Command = {
  about:
    'Write a paper as PDF: invoice, receipt, credit-note or refund with its number, statement with the number of the student, roster with the name of the group; account with the id of the guardian, report or certificate with that of the record, and the others too',
  usage: 'KIND NAME --to FILE [OPTIONS]',
  words: 2,
  proposed: { choices: PAPER_KINDS },
  options: {
    to: {
      value: 'FILE',
      isPath: true,
      required: true,
      about: 'Where to; in a folder the file is named by the number of the record',
    },
    locale: {
      value: 'LOCALE',
      choices: LOCALES,
      about: 'The language of the paper; without it, that of the payer of record, else the institute’s',
    },
    size: { value: 'SIZE', choices: PAPER_SIZES, about: 'Of a receipt: a4, or the 80mm roll of a receipt printer' },
    copy: { about: 'Marks an invoice as a copy; a receipt is always one here' },
    tenant: { value: 'SLUG', about: 'The institute, by its short name; needed where there are several' },
    force: { about: 'Overwrites a file that is there already' },
  },
  run: async (invocation) => {
    const [word = '', name = ''] = invocation.words
    const { to = '', tenant, locale, size } = invocation.options
    const kind = oneOf(PAPER_KINDS, word, 'A paper')
    const copy = invocation.switches.has('copy')
    const chosen = {
      locale: optional(LOCALES, locale, 'A locale'),
      size: optional(PAPER_SIZES, size, 'A size') ?? 'a4',
    }
    if (size !== undefined && kind !== 'receipt') throw new WrongUsage('Only a receipt has a size.')
    if (copy && kind !== 'receipt' && kind !== 'invoice')
      throw new WrongUsage('Only an invoice or a receipt has copies.')
    const force = invocation.switches.has('force')
    result(await writePaper(openConfig(invocation), { kind, name, slug: tenant, to, force, copy, ...chosen }))
    return 0
  },
}
