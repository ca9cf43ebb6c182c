import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind, type Module } from '#kernel/contract/module.ts'
import { localDate } from '#kernel/time/zone.ts'
import { noticeHttps } from '#modules/notifications/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { FindInstitute } from '#app/pages/institute-of-host.ts'
import { caPages } from './ca-pages.ts'
import { httpsEndpoints } from './endpoints.ts'
import type { Https } from './https.ts'

/** @public made by the clock, and by tests */
export const httpsJob = declareJob('https.hourly', noPayload)

interface Deps {
  https: Https
  isCloud: boolean
  findInstitute: FindInstitute
}

/** HTTPS by the server's own means: what the owner chooses, the page for devices, and the orders of public certificates. */
export const httpsModule = ({ https, isCloud, findInstitute }: Deps): Module => ({
  name: 'https',
  endpoints: [...httpsEndpoints(https, isCloud), ...caPages(https, findInstitute)],
  jobs: [
    jobKind(httpsJob, {
      handle: async ({ everywhere, db, change, now }) => {
        const installed = await everywhere.selectFrom('installation').select('tenant_id').executeTakeFirst()
        const tenant = installed && (await findTenant(db, installed.tenant_id))
        const name = await https.hourly(localDate(now, tenant?.timezone ?? 'UTC'))
        if (!tenant || name === undefined) return
        await change(async (system) => noticeHttps(system.inTenant(tenant), name))
      },
    }),
  ],
  cronJobs: isCloud ? [] : [{ cron: '23 * * * *', job: httpsJob, atStart: true }],
  close: () => https.close(),
})
