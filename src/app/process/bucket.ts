import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { CheckResult } from '#kernel/contract/check.ts'
import { baseUrlOf } from '#app/config/base-url.ts'
import type { Config } from '#app/config/config.ts'

/** What is done with the bucket as a whole. Its code is loaded where there is one. */
export interface BucketCare {
  /** Looks whether it works. */
  look(): Promise<CheckResult>
  /** Lets the pages of this server send files to it; says in the log when it may not. */
  letPagesIn(): Promise<void>
}

export const bucketCare = (config: Config, { read }: Database, log: Logger): BucketCare | undefined => {
  const { s3 } = config
  if (!s3) return undefined
  const origin = async (): Promise<string> => new URL(await baseUrlOf(config)(read)).origin
  return {
    look: async () => (await import('#ports/files/s3/check.ts')).lookAtBucket(s3, await origin()),
    letPagesIn: async () => {
      const { letPagesIn } = await import('#ports/files/s3/cors.ts')
      await letPagesIn(s3, await origin()).catch((error: unknown) => {
        log.warn({ err: error }, 'browsers may not reach the bucket of files: institute doctor says what to do')
      })
    },
  }
}
