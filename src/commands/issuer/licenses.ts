import { result, tell, type Command, type Option } from '../command.ts'
import { table } from '../table.ts'
import { call, callAll } from './api.ts'
import { confirmed, described, issuerCommand, listed, said, YES } from './declare.ts'
import { licensePath, minute, planCode, planIdOf, readTenant, tenantIdOf, type License } from './records.ts'

const LICENSE = 'LICENSE'

export const issuerLicenses = issuerCommand({
  about: 'List the licences, the newest first',
  usage: '[--tenant TENANT]',
  options: { tenant: { value: 'TENANT', about: 'Of this institute only, by its short name or id' } },
  show: async ({ options: { tenant } }) => {
    const tenantId = tenant === undefined ? undefined : await tenantIdOf(tenant)
    const licenses = await callAll<License>('/platform/licenses', { tenantId })
    return listed(licenses, ['ID', 'STATE', 'INSTALLS', 'EXPIRES', 'TENANT'], (license) => [
      license.id,
      license.state,
      String(license.maxInstalls),
      minute(license.expiresAt),
      license.tenantId,
    ])
  },
})

/** @returns the token alone, for scripts; what else there is to know goes to standard error */
const tokenCommand = ({
  ask,
  ...declared
}: Omit<Command, 'settings' | 'run'> & {
  ask(invocation: Parameters<Command['run']>[0]): Promise<{ token: string; more: string }>
}): Command => ({
  ...declared,
  settings: [],
  run: async (invocation) => {
    const { token, more } = await ask(invocation)
    tell(more)
    result(token)
    return 0
  },
})

export const issuerLicenseCreate = tokenCommand({
  about: 'Give an institute a licence for its own servers; prints the token that its owner enters there',
  usage: 'TENANT --installs NUMBER [--plan PLAN] [--expires TIME]',
  words: 1,
  options: {
    installs: { value: 'NUMBER', required: true, about: 'How many servers may run under it' },
    plan: { value: 'PLAN', about: 'The plan whose features and limits it grants, by code or id; without it: none' },
    expires: { value: 'TIME', about: 'Until when, such as 2030-01-31T00:00:00Z; without it: for ever' },
  },
  ask: async ({ words: [given = ''], options: { installs, plan, expires } }) => {
    const license = (await call('POST', '/platform/licenses', {
      tenantId: await tenantIdOf(given),
      maxInstalls: Number(installs),
      planId: await planIdOf(plan),
      expiresAt: expires,
    })) as License
    return { token: license.token, more: `The licence has the id ${license.id}. Its token:` }
  },
})

interface Install {
  installId: string
  appVersion: string
  lastSeenAt: string
  signals: { kind: string; severity: string }[]
  pendingCommands: { kind: string }[]
}

const kindsOf = (of: readonly { kind: string }[]): string => of.map(({ kind }) => kind).join(', ') || '-'

export const issuerLicenseShow = issuerCommand({
  about: 'Show a licence with the servers that run under it; its token with --json alone',
  usage: LICENSE,
  words: 1,
  show: async ({ words: [id = ''] }) => {
    const path = licensePath(id)
    const license = (await call('GET', path)) as License
    const installs = await callAll<Install>(`${path}/installs`)
    const tenant = await readTenant(license.tenantId)
    const { lines } = described(license, {
      Id: license.id,
      Tenant: `${tenant.slug}, ${tenant.name}`,
      State: license.state,
      'For installs': license.maxInstalls,
      Plan: await planCode(license.planId),
      Created: minute(license.createdAt),
      Expires: minute(license.expiresAt),
    })
    const rows = installs.map((install) => [
      install.installId,
      install.appVersion,
      minute(install.lastSeenAt),
      kindsOf(install.pendingCommands),
      kindsOf(install.signals),
    ])
    const heads = ['INSTALL', 'VERSION', 'LAST SEEN', 'WAITING', 'SIGNALS']
    return { json: { ...license, installs }, lines: [...lines, '', ...table([heads, ...rows])] }
  },
})

const REASON: Option = { value: 'TEXT', required: true, about: 'Why; people there are told' }

interface LicenseCommand {
  kind: string
  licenseId: string
}

const queued = (json: unknown): ReturnType<typeof said> =>
  said(
    json,
    `Every server under the licence gets the ${(json as LicenseCommand).kind} command with its next heartbeat.`,
  )

export const issuerLicenseLock = issuerCommand({
  about: 'Lock the servers of a licence, each at its next heartbeat',
  usage: `${LICENSE} --reason TEXT [--yes]`,
  words: 1,
  options: { reason: REASON, yes: YES },
  show: async (invocation) => {
    const { words, options } = invocation
    const path = licensePath(words[0] ?? '')
    const { slug } = await readTenant(((await call('GET', path)) as License).tenantId)
    await confirmed(invocation, `This bars everybody of ${slug} from their work.`, slug)
    return queued(await call('POST', `${path}/lock`, { reason: options.reason }))
  },
})

export const issuerLicenseUnlock = issuerCommand({
  about: 'Unlock the servers of a licence, each at its next heartbeat',
  usage: LICENSE,
  words: 1,
  show: async ({ words: [id = ''] }) => queued(await call('POST', `${licensePath(id)}/unlock`)),
})

export const issuerLicenseUnlockToken = tokenCommand({
  about: 'Make a token that unlocks a server without a network, once; prints it alone',
  usage: LICENSE,
  words: 1,
  ask: async ({ words: [id = ''] }) => {
    const { token, expiresAt } = (await call('POST', `${licensePath(id)}/unlock-token`)) as Record<
      'token' | 'expiresAt',
      string
    >
    return { token, more: `Good until ${minute(expiresAt)}, once on each server of the licence; shown this once:` }
  },
})
