import type { Database } from '#db/database.ts'
import type { Clock } from '#kernel/time/clock.ts'
import type { Queries } from '#kernel/contract/tables.ts'
import type { Vault } from './vault.ts'

/**
 * Returns a secret of the installation that is stored encrypted in the database; undefined: there is none of that name.
 * @throws CannotOpen when it was encrypted with another master key
 */
export const findSecret = async (db: Queries, vault: Vault, name: string): Promise<string | undefined> => {
  const row = await db.selectFrom('sealed_secret').select('value').where('name', '=', name).executeTakeFirst()
  return row && vault.open(name, row.value)
}

/** Stores a secret, encrypted, unless there is one of that name. @returns whether it was stored */
export const storeSecret = async (
  { db, now }: { db: Queries; now: string },
  vault: Vault,
  { name, secret }: { name: string; secret: string },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sealed_secret')
    .values({ name, value: vault.seal(name, secret), created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) === 1
}

/**
 * Returns a secret of the installation. `make` creates it on first use. If two processes do so at once, the database
 * keeps one secret and both get it.
 * @throws CannotOpen when it was encrypted with another master key
 */
export const sealedSecret = async (
  { database, vault, clock }: { database: Database; vault: Vault; clock: Clock },
  name: string,
  make: () => Promise<string>,
): Promise<string> => {
  const known = await findSecret(database.read, vault, name)
  if (known !== undefined) return known
  const secret = await make()
  await database.write((db) => storeSecret({ db, now: clock.now() }, vault, { name, secret }))
  const stored = await findSecret(database.read, vault, name)
  if (stored === undefined) throw new Error(`the secret ${name} could not be stored`)
  return stored
}
