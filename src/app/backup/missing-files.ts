import path from 'node:path'
import { migrations } from '#migrations'
import { openSqlite, type Database } from '#db/database.ts'
import { NewerDatabase, pendingMigrations } from '#db/steps/migrate.ts'
import { missingFiles } from '#modules/files/index.ts'
import { filesOf } from '#app/data-dir/files.ts'
import { DATABASE } from '#app/data-dir/layout.ts'

/** Another version's database may have other file tables, or none: then this check is left to that version. */
const isOfThisVersion = async (database: Database): Promise<boolean> => {
  try {
    return (await pendingMigrations(database, migrations)).length === 0
  } catch (error) {
    if (error instanceof NewerDatabase) return false
    throw error
  }
}

/**
 * Lists the files that the database in `folder` names but that are missing there or incomplete. A missing file is
 * reported and never stops a backup: the database and all other files are worth keeping, now more than ever. Files in a
 * bucket are no part of a backup.
 */
export const missingIn = async (folder: string): Promise<string[]> => {
  const database = openSqlite(path.join(folder, DATABASE))
  try {
    if (!(await isOfThisVersion(database))) return []
    return (await missingFiles(database.read, filesOf({ dataDir: folder }), 'disk')).missing
  } finally {
    await database.close()
  }
}
