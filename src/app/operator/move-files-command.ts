import { StorageProblem } from '#kernel/values/errors.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { moveFiles, type Moved } from '#modules/files/index.ts'
import type { StoragePlace } from '#ports/files/port.ts'
import { commandAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { App } from '#app/compose.ts'
import type { Config } from '#app/config/config.ts'
import { openFiles } from '#app/data-dir/files.ts'
import { bucketCare } from '#app/process/bucket.ts'
import { openLog } from '#app/process/log.ts'
import { withoutDot } from '#app/server/checks.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { tenantIdOf, withProgram } from './operator.ts'

export { STORAGE_PLACES } from '#ports/files/port.ts'

export interface WantedMove {
  to: StoragePlace
  /** The institute; undefined: all that there are. */
  slug: string | undefined
}

/** @throws an Error that says what is wrong with the bucket, and what to do */
const assertBucket = async (config: Config, { database }: App): Promise<void> => {
  const care = bucketCare(config, database, openLog({ logLevel: 'silent' }))
  if (!care) throw new Mistake('The settings name no bucket: set INSTITUTE_S3_URL.')
  const { state, text } = await care.look()
  if (state === 'wrong') throw new Error(`The bucket does not work: ${withoutDot(text)}.`)
}

const goesOn = (error: unknown): unknown =>
  error instanceof StorageProblem
    ? new Error(
        `The storage does not give or take the files now: ${error.message}. What was moved stays moved; run this again to go on.`,
        { cause: error },
      )
    : error

/**
 * Moves the files of one institute, or of all, to the disk or to the bucket, also while the program runs. What was moved
 * stays moved when it ends early; running it again goes on.
 * @param tell `progress` begins that of an institute, `moved` ends it @returns whether all files were whole
 */
export const moveAll = (
  config: Config,
  { to, slug }: WantedMove,
  tell: { progress: () => (done: number) => void; moved: (slug: string, moved: Moved) => void },
): Promise<boolean> =>
  withProgram(config, async (app) => {
    if (to === 's3' || config.s3 !== undefined) await assertBucket(config, app)
    const { read } = app.database
    const chosen = slug === undefined ? undefined : await tenantIdOf(app.database, slug)
    const institutes = await read
      .selectFrom('tenant')
      .select(['id', 'slug'])
      .$if(chosen !== undefined, (query) => query.where('id', '=', chosen ?? ''))
      .orderBy('slug')
      .execute()
    if (institutes.length === 0) throw new Error('There is no institute yet.')
    const files = await openFiles(config)
    const change = <T>(work: (tx: SystemTx) => Promise<T>): Promise<T> =>
      runInTransaction(app.runtime, commandAuditContext('files.move'), (unit) => work(unit.system()))
    let isWhole = true
    try {
      for (const { id, slug: name } of institutes) {
        const moved = await moveFiles(change, { files, tenantId: id, to, onProgress: tell.progress() })
        isWhole &&= moved.damaged.length === 0
        tell.moved(name, moved)
      }
    } catch (error) {
      throw goesOn(error)
    } finally {
      await files.close()
    }
    return isWhole
  })
