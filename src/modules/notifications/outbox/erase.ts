import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { inBatches } from '#runtime/change/batches.ts'
import { eachPage } from '#runtime/change/each-page.ts'
import { forgetPaces } from '#runtime/queue/pace.ts'
import { OUTSIDE_CHANNELS } from '../tables.ts'
import { paceKey } from './pace-key.ts'

/** What is kept of a person, and of their account, beside the messages that they got. */

/** How often was written to these addresses. */
export const forgetAddresses = ({ whole }: Pick<Tx, 'whole'>, addresses: readonly string[]): Promise<void> =>
  forgetPaces(
    whole,
    addresses.flatMap((address) => OUTSIDE_CHANNELS.map((channel) => paceKey(channel, address))),
  )

/** By which channels somebody wanted to be told. */
export const forgetPreferences = async ({ whole }: Pick<Tx, 'whole'>, userId: string): Promise<void> => {
  await whole.deleteFrom('notification_preference').where('user_id', '=', userId).execute()
}

/** The browsers that were told. */
export const forgetDevices = async ({ whole }: Pick<Tx, 'whole'>, userId: string): Promise<void> => {
  await whole.deleteFrom('push_device').where('user_id', '=', userId).execute()
}

interface Message {
  id: string
  source_id: string
  payload: Record<string, string>
}

const deleteTelling = (
  whole: ScopedDb,
  table: 'notification' | 'notification_call',
  messages: readonly Message[],
  about: ReadonlySet<string>,
): Promise<void> => {
  const telling = messages.filter(({ source_id: source, payload }) =>
    [source, ...Object.values(payload)].some((id) => about.has(id)),
  )
  return inBatches(telling, (batch) =>
    whole
      .deleteFrom(table)
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .execute(),
  )
}

interface Walk {
  /** Committed rows of the institute. */
  whole: ScopedDb
  change: (work: (tx: Pick<Tx, 'whole'>) => Promise<void>) => Promise<void>
}

/** Deletes what others were told of somebody: messages that name one of these records, or come from one. */
export const forgetTold = async ({ whole: read, change }: Walk, about: ReadonlySet<string>): Promise<void> => {
  await eachPage(read, 'notification', (from, to) =>
    change(async ({ whole }) => {
      const page = whole
        .selectFrom('notification')
        .select(['id', 'source_id', 'payload'])
        .where('created_at', '>=', from)
        .where('created_at', '<=', to)
      await deleteTelling(whole, 'notification', await page.execute(), about)
    }),
  )
  await change(async ({ whole }) => {
    const calls = whole.selectFrom('notification_call').select(['id', 'source_id', 'payload'])
    await deleteTelling(whole, 'notification_call', await calls.execute(), about)
  })
}
