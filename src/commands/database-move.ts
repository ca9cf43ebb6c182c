import { moveDatabase } from '#app/operator/move-database-command.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'
import { sayTenths } from './tenths.ts'

export const databaseMove: Command = {
  about:
    'Move the built-in SQLite database into the empty Postgres of INSTITUTE_DATABASE_URL; the program must be stopped',
  run: async (invocation) => {
    const { rows, tables, aside } = await moveDatabase(openConfig(invocation), sayTenths())
    tell(`The SQLite database lies in ${aside}: remove it once all is well.`)
    result(`Moved: ${rows} rows of ${tables} tables. Start the program with the same INSTITUTE_DATABASE_URL.`)
    return 0
  },
}
