import * as v from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { found, invalid } from '#kernel/values/errors.ts'
import { text, uuid } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Account, PaymentPort } from '#ports/payments/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  lockRow,
  lockToDelete,
  recordOf,
  type Row,
} from '#runtime/records/records.ts'
import { PagesOpen } from './failures.ts'
import { noticeProblemOf } from './notice-address.ts'
import type { PaymentProvider, ProviderChanges } from './schemas.ts'
import { LIVE_STATES, PROVIDER_NAMES, type ProviderName } from './tables.ts'

export interface ProviderDeps {
  vault: Vault
  ports: Readonly<Record<ProviderName, PaymentPort>>
  /** The address that links of an institute begin with. */
  baseUrl: (tenantId: string) => Promise<string>
}

/** A key, which stands in a header. */
const key = (begins: RegExp, message: string) => v.pipe(text(300), v.regex(begins, message))
const word = key(/^[\x21-\x7e]+$/, 'Must be printable ASCII without blanks.')

/** What an institute gives of its account, by the names that the adapters know. */
const FIELDS = {
  stripe: {
    secretKey: { schema: key(/^[sr]k_(test|live)_[\x21-\x7e]+$/, 'Must begin with sk_ or rk_.'), isSecret: true },
    webhookSecret: { schema: key(/^whsec_[\x21-\x7e]+$/, 'Must begin with whsec_.'), isSecret: true },
  },
  payplus: {
    apiKey: { schema: word, isSecret: true },
    secretKey: { schema: word, isSecret: true },
    paymentPageUid: { schema: uuid, isSecret: false },
    terminalUid: { schema: uuid, isSecret: false },
    system: { schema: v.picklist(['live', 'test']), isSecret: false },
  },
} as const

const SEALED_FOR = 'payment-provider'

export type ProviderRow = Row<'payment_provider'>

const secretsOf = (vault: Vault, row: ProviderRow): Record<string, string> =>
  JSON.parse(vault.open(SEALED_FOR, row.secret))

export const accountOf = (vault: Vault, row: ProviderRow): Account => ({ ...row.settings, ...secretsOf(vault, row) })

/** Where the provider sends its notices. */
export const noticeUrl = (base: string, id: string): string => `${base}/api/v1/payment-notices/${id}`

const showProvider = (provider: ProviderName, row: ProviderRow | undefined, base: string): PaymentProvider => ({
  provider,
  isOn: row?.is_on ?? false,
  paymentPageUid: row?.settings['paymentPageUid'] ?? null,
  terminalUid: row?.settings['terminalUid'] ?? null,
  system: row?.settings['system'] ?? null,
  noticeUrl: row ? noticeUrl(base, row.id) : null,
  noticeProblem: noticeProblemOf(base),
  secretSetAt: row?.secret_set_at ?? null,
  updatedAt: row?.updated_at ?? null,
})

const audited = ({ provider, is_on: isOn, settings, secret_set_at: secretSetAt }: ProviderRow) => ({
  provider,
  isOn,
  settings,
  secretSetAt,
})

const providerRecord = recordOf('payment_provider', { show: audited })

const all = (whole: ScopedDb) => whole.selectFrom('payment_provider').selectAll().orderBy('id')

export const providerOf = async (whole: ScopedDb, provider: ProviderName): Promise<ProviderRow | undefined> =>
  all(whole).where('provider', '=', provider).executeTakeFirst()

/** The one over which people pay now; undefined: nobody pays by card. */
export const providerOn = (whole: ScopedDb): Promise<ProviderRow | undefined> =>
  all(whole).where('is_on', '=', true).executeTakeFirst()

export const listProviders = async (whole: ScopedDb, base: string): Promise<PaymentProvider[]> => {
  const rows = new Map((await all(whole).execute()).map((row) => [row.provider, row]))
  return PROVIDER_NAMES.map((name) => showProvider(name, rows.get(name), base))
}

/** Fields of others are refused, and so is an account of which something is missing. @throws VALIDATION_ERROR */
const accountFrom = (name: ProviderName, body: ProviderChanges, before: Account) => {
  const fields: Readonly<Record<string, { schema: v.GenericSchema<string, string>; isSecret: boolean }>> = FIELDS[name]
  const { isOn: _isOn, ...given } = body
  const settings: Record<string, string> = {}
  const secrets: Record<string, string> = {}
  for (const [field, value] of Object.entries(given)) {
    if (value !== undefined && !(field in fields)) throw invalid([field], 'Does not belong to this provider.')
  }
  for (const [field, { schema, isSecret }] of Object.entries(fields)) {
    const value = (given as Record<string, string | undefined>)[field] ?? before[field]
    if (value === undefined) throw invalid([field], 'Is needed for this provider.')
    const read = v.safeParse(schema, value)
    if (!read.success) throw invalid([field], read.issues[0].message)
    ;(isSecret ? secrets : settings)[field] = read.output
  }
  return { settings, secrets }
}

/** Switches the others off: people pay over one. */
const switchOff = async (tx: Tx, but: string): Promise<void> => {
  for (const { id } of await all(tx.whole).where('is_on', '=', true).where('id', '<>', but).execute()) {
    await changeRecord(tx, providerRecord, await lockRow(tx, providerRecord, id), { isOn: false })
  }
}

/** Sets the account at a provider; what is left out stays as it is. @throws VALIDATION_ERROR */
export const putProvider = async (
  tx: Tx,
  name: ProviderName,
  body: ProviderChanges,
  { vault, baseUrl }: ProviderDeps,
): Promise<PaymentProvider> => {
  const known = await forNoKeyUpdate(tx.whole, all(tx.whole).where('provider', '=', name)).executeTakeFirst()
  const former = known ? secretsOf(vault, known) : {}
  const { settings, secrets } = accountFrom(name, body, { ...known?.settings, ...former })
  const isSame = Object.entries(secrets).every(([field, value]) => former[field] === value)
  const sealed = { secret: vault.seal(SEALED_FOR, JSON.stringify(secrets)), secretSetAt: tx.now }
  let id = known?.id
  if (known) {
    const row = await lockRow(tx, providerRecord, known.id)
    await changeRecord(tx, providerRecord, row, { settings, isOn: body.isOn, ...(!isSame && sealed) })
  } else {
    await createRecord(tx, providerRecord, { provider: name, isOn: body.isOn ?? false, settings, ...sealed })
    id = found(await providerOf(tx.whole, name)).id
  }
  if (body.isOn === true) await switchOff(tx, id as string)
  return showProvider(name, await providerOf(tx.whole, name), await baseUrl(tx.tenant.id))
}

/** @throws NotFound, PagesOpen */
export const deleteProvider = async (tx: Tx, name: ProviderName) => {
  const { id } = found(await providerOf(tx.whole, name))
  const row = await lockToDelete(tx, providerRecord, id)
  const open = await tx.whole
    .selectFrom('online_payment')
    .select('id')
    .where('provider', '=', name)
    .where('state', 'in', LIVE_STATES)
    .limit(1)
    .executeTakeFirst()
  if (open) throw PagesOpen()
  return deleteRecord(tx, providerRecord, row)
}
