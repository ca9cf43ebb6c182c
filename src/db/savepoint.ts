import { CompiledQuery } from 'kysely'
import type { SystemDb } from '#kernel/contract/tables.ts'

const SAVE = CompiledQuery.raw('savepoint attempt')
const RELEASE = CompiledQuery.raw('release savepoint attempt')
const TAKE_BACK = CompiledQuery.raw('rollback to savepoint attempt')

/**
 * Runs a part of a transaction. When it throws, what it wrote is taken back, and the transaction can go on.
 * @throws whatever `work` throws
 */
export const inSavepoint = async <T>(db: SystemDb, work: () => Promise<T>): Promise<T> => {
  await db.executeQuery(SAVE)
  let result: T
  try {
    result = await work()
  } catch (error) {
    // Where the database has ended the whole transaction, there is nothing left to go back to.
    await db
      .executeQuery(TAKE_BACK)
      .then(() => db.executeQuery(RELEASE))
      .catch(() => {})
    throw error
  }
  await db.executeQuery(RELEASE)
  return result
}
