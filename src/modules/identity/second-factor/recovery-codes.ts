import { randomInt } from 'node:crypto'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import type { Vault } from '#runtime/secrets/vault.ts'

/** What stands in for the app of somebody who lost it: ten codes, each good once. */

const CODES = 10
/** Without what is read for something else: 0 and o, 1 and i and l. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz'
const HALF = 5

const half = (): string => Array.from({ length: HALF }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** A tag that this server alone can make: whoever reads the database tries no codes on it. */
const hashOf = (vault: Vault, userId: string, code: string): string => vault.tag('recovery-code', `${userId}/${code}`)

/** Makes new codes, and ends the former ones. @returns the codes, as people write them down */
export const makeRecoveryCodes = async (tx: SystemTx, vault: Vault, userId: string): Promise<string[]> => {
  const codes = Array.from({ length: CODES }, () => [half(), half()] as const)
  await endRecoveryCodes(tx, userId)
  await tx.db
    .insertInto('recovery_code')
    .values(
      codes.map((halves) => ({
        user_id: userId,
        code_hash: hashOf(vault, userId, halves.join('')),
        used_at: null,
        created_at: tx.now,
      })),
    )
    .execute()
  return codes.map((halves) => halves.join('-'))
}

export const endRecoveryCodes = async ({ db }: SystemTx, userId: string): Promise<void> => {
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
}

export const countRecoveryCodes = async (db: OutsideDb, userId: string): Promise<number> => {
  const unused = db.selectFrom('recovery_code').select('code_hash').where('user_id', '=', userId)
  return (await unused.where('used_at', 'is', null).execute()).length
}

/** Uses a code up. @param code without what separates its halves, in lower case */
export const useRecoveryCode = async (
  tx: SystemTx,
  vault: Vault,
  { userId, code }: { userId: string; code: string },
): Promise<'fits' | 'used' | 'wrong'> => {
  const hash = hashOf(vault, userId, code)
  const { numUpdatedRows } = await tx.db
    .updateTable('recovery_code')
    .set({ used_at: tx.now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return 'fits'
  const known = tx.db.selectFrom('recovery_code').select('code_hash').where('user_id', '=', userId)
  return (await known.where('code_hash', '=', hash).executeTakeFirst()) ? 'used' : 'wrong'
}
