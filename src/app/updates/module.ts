import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind, type Module } from '#kernel/contract/module.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { noticeUpdate } from '#modules/notifications/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { Config } from '#app/config/config.ts'
import type { Updater } from './updater.ts'

/** @public made by the clock, and by tests */
export const updatesJob = declareJob('updates.hourly', noPayload)

const SOON_SECONDS = 30

/** Comes round soon: what the updater does shall be told once it is done. */
export const lookSoon = (tx: Pick<SystemTx, 'enqueue' | 'now'>): void => {
  const runAt = plusSeconds(tx.now, SOON_SECONDS)
  tx.enqueue(updatesJob, {}, { runAt, uniqueKey: `${updatesJob.name} ${runAt}` })
}

/**
 * Looks for new versions once a day, puts them in at the hour that the owner chose, and tells them what became of it. It comes
 * round every hour, and when the program starts: as when a new version runs for the first time; and soon again while one is
 * put in, which may be refused without a restart.
 */
export const updatesModule = (updater: Updater, { mode }: Pick<Config, 'mode'>): Module => ({
  name: 'updates',
  jobs: [
    jobKind(updatesJob, {
      handle: async ({ everywhere, db, change }) => {
        const installed = await everywhere.selectFrom('installation').select('tenant_id').executeTakeFirst()
        const tenant = installed && (await findTenant(db, installed.tenant_id))
        if (!tenant) return
        const news = await updater.hourly(tenant.timezone)
        // A version starts before the updater knows whether it answers: look again once that is known.
        const goesOn = updater.isInstalling
        if (news.length === 0 && !goesOn) return
        await change(async (system) => {
          if (goesOn) lookSoon(system)
          const tx = system.inTenant(tenant)
          for (const one of news) noticeUpdate(tx, one)
        })
        updater.told(news)
      },
    }),
  ],
  cronJobs: mode === 'cloud' ? [] : [{ cron: '41 * * * *', job: updatesJob, atStart: true }],
  close: () => updater.close(),
})
