import type { Database } from '#db/database.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Vault } from './vault.ts'
import './tables.ts'

/**
 * A secret of the whole program that lies sealed in the database. Made by `make` when it is first asked for; of two
 * processes that ask at once, one's is kept and both get it.
 * @throws CannotOpen under another master key
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
  if (!row) throw new Error(`the secret ${name} could not be kept`)
  return vault.open(name, row.value)
}
