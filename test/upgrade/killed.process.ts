/**
 * `node killed.process.ts ENGINE WHERE AFTER`: runs the planted migrations on the database at WHERE (a file or a URL),
 * and kills itself right after a statement whose text, with its parameters, matches the pattern AFTER.
 */
import { openPostgres, openSqlite } from '#db/database.ts'
import type { QueryLog } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { migrations } from '#migrations'
import { PLANTED } from './planted.ts'

const [, , engine, where = '', after = ''] = process.argv

const log: QueryLog = ({ query }) => {
  if (new RegExp(after).test(`${query.sql} ${JSON.stringify(query.parameters)}`)) process.kill(process.pid, 'SIGKILL')
}
const database = engine === 'postgres' ? openPostgres({ url: where, log }) : openSqlite(where, { log })
// With a tiny cache, uncommitted pages reach the file, as they do in a large database.
database.sqlite?.pragma('cache_size = 1')
await migrate(database, { ...migrations, ...PLANTED })
await database.close()
