import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { ApiError } from '#kernel/values/errors.ts'
import { OtherStatus } from '#kernel/values/other-status.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import { ListCursors } from '#runtime/records/cursors.ts'
import { listHandle, outsideHandle, reachedHandle, readHandle } from '#runtime/records/handles.ts'
import type { Runtime } from '#runtime/change/transaction.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { CallerReach } from '#http/admission/admission.ts'
import type { RawInput } from '#http/bodies/input.ts'

/** What a handler gets besides its input, and what becomes of its result. */

export interface ContextDeps {
  runtime: Runtime
  vault: Vault
  /** Called with every finished request; tests use it to check replies against their declarations. */
  observe?: (exchange: { endpoint: Endpoint; status: number; reply: unknown; error: ApiError | undefined }) => void
}

/** The caller, what they may reach, and the request. */
interface Asked extends CallerReach {
  raw: RawInput
}

export const tenantOf = (caller: Caller | null): TenantInfo => {
  if (!caller?.tenant) throw new Error('a caller without an institute reached an endpoint inside an institute')
  return caller.tenant
}

/** The handles of committed rows, and the cursors of the list. */
export const readHandles = ({ runtime, vault }: ContextDeps, endpoint: Endpoint, { caller, reach, raw }: Asked) => {
  if (endpoint.kind === 'openRead' || endpoint.kind === 'openChange') {
    const { read: everywhere } = runtime.database
    return {
      db: outsideHandle(runtime),
      everywhere,
      inTenant: (tenant: Pick<TenantInfo, 'id'>) => readHandle(runtime, tenant.id, 'all'),
      cursors: new ListCursors(vault, [endpoint.id, caller?.id ?? '', ...Object.values(raw.params)]),
    }
  }
  const tenant = tenantOf(caller)
  const whole = readHandle(runtime, tenant.id, 'all')
  return {
    tenant,
    whole,
    db: reach === 'all' ? whole : readHandle(runtime, tenant.id, reach),
    reachedBy: (permission: Permission) => reachedHandle(runtime, tenant.id, caller?.grants.reach(permission)),
    cursors: new ListCursors(vault, [endpoint.id, tenant.id, ...Object.values(raw.params)]),
  }
}

/** The handles for lists. Under a limited reach, `db` starts from the reached rows where they are few. */
export const listHandles = async (deps: ContextDeps, endpoint: Endpoint, asked: Asked) => {
  const handles = readHandles(deps, endpoint, asked)
  if (handles.tenant && asked.reach !== 'all') {
    handles.db = await listHandle(deps.runtime, handles.tenant.id, asked.reach)
  }
  return handles
}

/** The status and the reply that a handler's result stands for. */
export const outcomeOf = (
  { observe }: ContextDeps,
  endpoint: Endpoint,
  result: unknown,
): { status: number; reply: unknown } => {
  const { status, reply } = result instanceof OtherStatus ? result : { status: endpoint.status, reply: result }
  observe?.({ endpoint, status, reply, error: undefined })
  return { status, reply }
}
