import path from 'node:path'
import { migrations } from '#migrations'
import { openSqlite } from '#db/database.ts'
import { pendingMigrations } from '#db/migrate.ts'
import { missingFiles } from '#modules/files/index.ts'
import { filesOf } from '../house.ts'
import { DATABASE } from './layout.ts'

/**
 * Which of the files that the database in `folder` names do not lie there, or not whole. A missing file is told and never
 * the end of a backup: all the others and the database are worth keeping, now more than ever.
 */
export const missingIn = async (folder: string): Promise<string[]> => {
  const database = openSqlite(path.join(folder, DATABASE))
  try {
    // Of an earlier version, whose database may know of no files: the check is left to the version that made it.
    if ((await pendingMigrations(database, migrations)).length > 0) return []
    return (await missingFiles(database.read, filesOf({ dataDir: folder }))).missing
  } finally {
    await database.close()
  }
}
