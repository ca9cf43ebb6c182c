import path from 'node:path'
import { beginImport, followImport, IMPORT_KINDS } from '#app/operator/import-command.ts'
import { writeOut } from '#app/operator/write-out.ts'
import { oneOf, result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'
import { printable } from './table.ts'

const STEPS = 10
const SHOWN_ERRORS = 20
/** Looks, four in a second, after which nobody seems to be there to do it. */
const PATIENCE = 40

/** Says when it waits for the program, and every tenth of the work when it is done. */
const sayProgress = () => {
  let looks = 0
  let said = ''
  return (row: { status: string; pass: string; position: number; row_count: number }): void => {
    looks += 1
    if (row.status === 'queued' && looks === PATIENCE) {
      tell('The program does not run: it does the import as soon as it is started. Ctrl-C ends only this command.')
    }
    const tenths = row.row_count === 0 ? 0 : Math.floor((row.position / row.row_count) * STEPS)
    const line = `${row.pass === 'check' ? 'looked at' : 'written'}: ${(tenths * 100) / STEPS} %`
    if (row.status === 'running' && tenths > 0 && tenths < STEPS && line !== said) tell(line)
    said = line
  }
}

export const importCommand: Command = {
  about:
    'Bring students, staff, enrollments or opening balances in out of a .csv or .xlsx, while the program runs; --dry-run only says what would happen',
  usage: 'KIND --from FILE [OPTIONS]',
  words: 1,
  proposed: { choices: IMPORT_KINDS },
  options: {
    from: { value: 'FILE', isPath: true, required: true, about: 'The file, as a spreadsheet program saves it' },
    'dry-run': { about: 'Writes nothing' },
    all: { about: 'Writes nothing either when any row is refused; without it the good rows are kept' },
    refused: {
      value: 'FILE',
      isPath: true,
      about: 'Where the refused rows go, with what is wrong: to mend and to import again',
    },
    as: { value: 'EMAIL', about: 'The member in whose name and with whose rights; without it, the owner' },
    tenant: { value: 'SLUG', about: 'The institute, by its short name; needed where there are several' },
    force: { about: 'Overwrites a file of refused rows that is there already' },
  },
  run: async (invocation) => {
    const [word = ''] = invocation.words
    const { from = '', refused: to, as: email, tenant: slug } = invocation.options
    const config = openConfig(invocation)
    const isDryRun = invocation.switches.has('dry-run')
    const begun = await beginImport(config, {
      kind: oneOf(IMPORT_KINDS, word, 'What a file holds'),
      file: path.resolve(from),
      slug,
      email,
      mode: invocation.switches.has('all') ? 'all' : 'by_row',
      isDryRun,
    })
    const ended = await followImport(config, begun, sayProgress())
    for (const line of ended.errors.slice(0, SHOWN_ERRORS)) tell(printable(line))
    if (ended.errors.length > SHOWN_ERRORS) tell('… and more: --refused FILE writes all of them.')
    const { created, updated, unchanged, refused } = ended
    const counts = `${created} added, ${updated} changed, ${unchanged} as they were, ${refused} refused`
    result(`${isDryRun ? 'It would be: ' : ''}${counts}`)
    if (to !== undefined && refused > 0) {
      const content = async function* () {
        yield ended.refusedRows
      }
      const force = invocation.switches.has('force')
      result(await writeOut({ to, force, what: 'refused rows', name: `refused-${word}.csv` }, content))
    }
    return ended.isDone && refused === 0 ? 0 : 1
  },
}
