import { setEntitlements, type Entitlements } from '#modules/tenants/index.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { TestApp } from './app.ts'
import type { TestInstitute } from './institute.ts'

const NOTHING: Entitlements = { features: null, quotas: null, writesEndAt: null }

/** Grants an institute what a plan or a licence would grant, and nothing else. */
export const grant = (
  { app }: TestApp,
  { tenant }: Pick<TestInstitute, 'tenant'>,
  entitlements: Partial<Entitlements>,
): Promise<void> =>
  runInTransaction(app.runtime, systemAuditContext('test.grant'), (unit) =>
    setEntitlements(unit.system(), tenant.id, { ...NOTHING, ...entitlements }),
  )
