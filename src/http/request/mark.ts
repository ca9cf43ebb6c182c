import type { Mark } from '#kernel/contract/unit-of-work.ts'
import { runInTransaction, type Runtime } from '#runtime/change/transaction.ts'
import type { AdmittedRequest } from '#http/admission/admission.ts'

/** What a read inside an institute writes of what it hands out; undefined: it is outside any. */
export const markOf = (
  runtime: Runtime,
  { caller, reach, auditContext }: Pick<AdmittedRequest, 'caller' | 'reach' | 'auditContext'>,
): Mark | undefined => {
  const tenant = caller?.tenant
  if (!tenant) return undefined
  return (work) =>
    runInTransaction(runtime, auditContext, (unit) => work(unit.tenant(tenant, reach)), { refusable: true })
}
