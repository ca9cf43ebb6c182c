import path from 'node:path'
import { migrations } from '#migrations'
import { openSqlite, type Database } from '#db/database.ts'
import { NewerDatabase, pendingMigrations } from '#db/migrate.ts'
import { missingFiles } from '#modules/files/index.ts'
import { filesOf } from '../services.ts'
import { DATABASE } from './layout.ts'

/** The database of another version may know of no files, or of others: the check is left to that. */
const isOfThisVersion = async (database: Database): Promise<boolean> => {
  try {
    return (await pendingMigrations(database, migrations)).length === 0
  } catch (error) {
    if (error instanceof NewerDatabase) return false
    throw error
  }
}

/**
 * Which of the files that the database in `folder` names do not lie there, or not whole. A missing file is told and never
 * the end of a backup: all the others and the database are worth keeping, now more than ever.
 */
export const missingIn = async (folder: string): Promise<string[]> => {
  const database = openSqlite(path.join(folder, DATABASE))
  try {
    if (!(await isOfThisVersion(database))) return []
    return (await missingFiles(database.read, filesOf({ dataDir: folder }))).missing
  } finally {
    await database.close()
  }
}
