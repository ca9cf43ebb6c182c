import * as v from 'valibot'
import { forNoKeyUpdate, refusing } from '#db/dialect.ts'
import { failure, found } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { named } from '#kernel/values/named.ts'
import { id, orNull, ts } from '#kernel/values/schema.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { noteFactors } from '../second-factor/factor.ts'

export const Passkey = named(
  'Passkey',
  v.object({ id, name: v.string(), isSynced: v.boolean(), createdAt: ts, lastUsedAt: orNull(ts) }),
  {
    name: 'What its person calls it.',
    isSynced: 'Whether other devices of the person have it too, by their account at Apple, Google or the like.',
    createdAt: 'When it was added.',
    lastUsedAt: 'When somebody signed in with it last; null: nobody has.',
  },
)
export type Passkey = v.InferOutput<typeof Passkey>

const MOST = 20

export const PasskeyInvalid = failure(
  'INVALID_CREDENTIALS',
  'passkey_invalid',
  'The passkey is not known here, was removed, or was asked for more than five minutes ago: try again, or sign in with the password.',
)
export const PasskeysImpossible = failure(
  'CONFLICT',
  'passkeys_impossible',
  'Browsers make no passkeys for the address of this server: it needs HTTPS and a name (GET /me/passkeys says which is missing).',
)
export const TooManyPasskeys = failure('CONFLICT', 'too_many_passkeys', `An account has at most ${MOST} passkeys.`)
export const PasskeyKnown = failure('CONFLICT', 'passkey_known', 'This passkey was added already.')

const toPasskey = shows(Passkey)
const COLUMNS = ['id', 'name', 'is_synced', 'created_at', 'last_used_at'] as const

/** Oldest first. */
export const passkeysOf = async (db: OutsideDb, userId: string): Promise<Passkey[]> => {
  const rows = db.selectFrom('passkey').select(COLUMNS).where('user_id', '=', userId)
  return (await rows.orderBy('created_at').orderBy('id').execute()).map(toPasskey)
}

/** How devices know those that there are, so that none is added twice. */
export const credentialIdsOf = async (db: OutsideDb, userId: string): Promise<string[]> => {
  const rows = await db.selectFrom('passkey').select('credential_id').where('user_id', '=', userId).execute()
  return rows.map(({ credential_id: credentialId }) => credentialId)
}

interface NewPasskey {
  userId: string
  name: string
  rpId: string
  credentialId: string
  publicKey: string
  signCount: number
  isSynced: boolean
}

/** The caller has locked the account. @throws TooManyPasskeys, PasskeyKnown */
export const addPasskey = async (tx: SystemTx, passkey: NewPasskey): Promise<Passkey> => {
  if ((await credentialIdsOf(tx.db, passkey.userId)).length >= MOST) throw TooManyPasskeys()
  const row = await tx.db
    .insertInto('passkey')
    .values({
      id: tx.id(),
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      rp_id: passkey.rpId,
      name: passkey.name,
      sign_count: passkey.signCount,
      is_synced: passkey.isSynced,
      created_at: tx.now,
      last_used_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
    .catch(refusing({ unique: { 'passkey(credential_id)': PasskeyKnown } }))
  await noteFactors(tx, passkey.userId)
  return toPasskey(row)
}

/** @throws NotFound for one that is not theirs */
const lockOwn = async ({ db }: SystemTx, userId: string, passkeyId: string) =>
  found(
    await forNoKeyUpdate(
      db,
      db.selectFrom('passkey').select(COLUMNS).where('id', '=', passkeyId).where('user_id', '=', userId),
    ).executeTakeFirst(),
  )

/** @returns it before and after @throws NotFound */
export const renamePasskey = async (
  tx: SystemTx,
  { userId, passkeyId, name }: { userId: string; passkeyId: string; name: string },
): Promise<{ before: Passkey; after: Passkey }> => {
  const before = toPasskey(await lockOwn(tx, userId, passkeyId))
  if (before.name !== name) await tx.db.updateTable('passkey').set({ name }).where('id', '=', passkeyId).execute()
  return { before, after: { ...before, name } }
}

/** @throws NotFound */
export const removePasskey = async (tx: SystemTx, userId: string, passkeyId: string): Promise<Passkey> => {
  const before = toPasskey(await lockOwn(tx, userId, passkeyId))
  await tx.db.deleteFrom('passkey').where('id', '=', passkeyId).execute()
  await noteFactors(tx, userId)
  return before
}

export const findPasskey = (db: OutsideDb, credentialId: string) =>
  db
    .selectFrom('passkey')
    .select(['id', 'user_id', 'public_key', 'rp_id'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()

/**
 * Notes a sign-in. A device that counts its signatures never goes back: one that does is a copy.
 * @returns false where it does, or the passkey was removed meanwhile
 */
export const noteUse = async (
  tx: SystemTx,
  { passkeyId, signCount, isSynced }: { passkeyId: string; signCount: number; isSynced: boolean },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx.db
    .updateTable('passkey')
    .set({ sign_count: signCount, is_synced: isSynced, last_used_at: tx.now })
    .where('id', '=', passkeyId)
    .where((eb) => (signCount === 0 ? eb('sign_count', '=', 0) : eb('sign_count', '<', signCount)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
