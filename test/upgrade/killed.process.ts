/**
 * `node killed.process.ts ENGINE WHERE AFTER`: takes the planted steps in the database at WHERE (a file or an address), and
 * kills itself as soon as a statement was executed that AFTER (a pattern) is found in, its parameters included.
 */
import { openPostgres, openSqlite } from '#db/database.ts'
import type { QueryLog } from '#db/database.ts'
import { migrate } from '#db/migrate.ts'
import { migrations } from '#migrations'
import { PLANTED } from './planted.ts'

const [, , engine, where = '', after = ''] = process.argv

const log: QueryLog = ({ query }) => {
  if (new RegExp(after).test(`${query.sql} ${JSON.stringify(query.parameters)}`)) process.kill(process.pid, 'SIGKILL')
}
const database = engine === 'postgres' ? openPostgres({ url: where, log }) : openSqlite(where, { log })
// What is not committed reaches the file, as it does in a large database.
database.sqlite?.pragma('cache_size = 1')
await migrate(database, { ...migrations, ...PLANTED })
await database.close()
