import type { Database } from '#db/database.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Vault } from './vault.ts'
import './tables.ts'

/**
 * Returns a secret of the installation that is stored encrypted in the database. `make` creates it on first use. If two
 * processes do so at once, the database keeps one secret and both get it.
 * @throws CannotOpen when it was encrypted with another master key
 */
export const sealedSecret = async (
  { database, vault, clock }: { database: Database; vault: Vault; clock: Clock },
  name: string,
  make: () => Promise<string>,
): Promise<string> => {
  const find = () =>
    database.read.selectFrom('sealed_secret').select('value').where('name', '=', name).executeTakeFirst()
  let row = await find()
  if (!row) {
    const value = vault.seal(name, await make())
    await database.write((db) =>
      db
        .insertInto('sealed_secret')
        .values({ name, value, created_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
    row = await find()
  }
  if (!row) throw new Error(`the secret ${name} could not be stored`)
  return vault.open(name, row.value)
}
