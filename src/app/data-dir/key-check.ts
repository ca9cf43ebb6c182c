import { openSqlite, type Database } from '#db/database.ts'
import { CannotOpen, Vault } from '#runtime/secrets/vault.ts'
import type { Config } from '#app/config/config.ts'
import { masterKey } from './master-key.ts'

const someSecret = ({ read }: Pick<Database, 'read'>) =>
  read.selectFrom('sealed_secret').select(['name', 'value']).limit(1).executeTakeFirst()

/** Whether this database holds any sealed secret. */
export const hasSecrets = async (database: Pick<Database, 'read'>): Promise<boolean> =>
  (await someSecret(database)) !== undefined

/** Whether the master key opens this database's secrets; without secrets, any key does. */
export const keyOpens = async (
  database: Pick<Database, 'read'>,
  config: Pick<Config, 'masterKey' | 'dataDir'>,
): Promise<boolean> => {
  const sealed = await someSecret(database)
  if (!sealed) return true
  try {
    new Vault(masterKey(config)).open(sealed.name, sealed.value)
    return true
  } catch (error) {
    if (error instanceof CannotOpen) return false
    throw error
  }
}

/** The same check for a SQLite file of any version that holds a secret, such as the copy in a backup. */
export const keyOpensFile = async (file: string, config: Pick<Config, 'masterKey' | 'dataDir'>): Promise<boolean> => {
  const database = openSqlite(file)
  try {
    return await keyOpens(database, config)
  } finally {
    await database.close()
  }
}
