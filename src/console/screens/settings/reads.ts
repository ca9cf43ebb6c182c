import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useGet } from '../../api/queries.ts'
import { useWorkers } from '../../records/member/reads.ts'
import type { Words } from '../../words/words.ts'

export type Member = Schemas['Member']
export type Role = Schemas['Role']
export type Settings = Schemas['Settings']

/** More than an institute has. */
const MOST = 100

const ORDER: readonly (string | null)[] = [
  'owner',
  'admin',
  'branch_manager',
  'front_desk',
  'teacher',
  'accountant',
  'student',
  'guardian',
]

const rankOf = ({ key }: Role): number => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length)

/** The roles, in the order in which people know them: those that every institute has, then its own. */
export const useRoles = (isOff = false): UseQueryResult<Role[]> =>
  useGet(
    ['/roles'],
    async (signal) => {
      const { data } = await answer(api.GET('/roles', { params: { query: { limit: MOST } }, signal }))
      return data.toSorted((a, b) => rankOf(a) - rankOf(b))
    },
    { isOff },
  )

/** Those who work here, by the ids of their roles. */
export const useHolders = (): ReadonlyMap<string, Member[]> => {
  const members = useWorkers(false)
  const holders = new Map<string, Member[]>()
  for (const member of members.data ?? [])
    for (const id of new Set(member.roles.map(({ roleId }) => roleId)))
      holders.set(id, [...(holders.get(id) ?? []), member])
  return holders
}

export const nameOfMember = ({ fullName, email }: Member): string => fullName || email

/** Every permission there is, with the part of the institute that it concerns. */
export const usePermissions = (): UseQueryResult<Schemas['PermissionInfo'][]> =>
  useGet(['/permissions'], async (signal) => (await answer(api.GET('/permissions', { signal }))).data)

/** Whether a role is of those whom the institute is for, and not of those who work in it. */
export const isFamilyRole = (key: string | null): boolean => key === 'student' || key === 'guardian'

/** A role in the reader's language; one that the institute made has its own name. */
export const roleName = ({ shell }: Words, { key, name }: { key: string | null; name: string }): string =>
  shell.roles[key ?? ''] ?? name

/** @param signal ends the request */
export const readSettings = (signal?: AbortSignal): Promise<Settings> =>
  answer(api.GET('/settings', { ...(signal && { signal }) }))

export const useSettings = (isOff = false): UseQueryResult<Settings> => useGet(['/settings'], readSettings, { isOff })

export const readStuck = (signal: AbortSignal): Promise<Schemas['StuckChannels']> =>
  answer(api.GET('/notifications/stuck', { signal }))

export const useMail = (isOff = false): UseQueryResult<Schemas['MailSettings']> =>
  useGet(['/mail/settings'], (signal) => answer(api.GET('/mail/settings', { signal })), { isOff })

/** The websites that have the form: their publishable keys, without those that were ended. */
export const useSites = (isOff = false): UseQueryResult<Schemas['ApiKey'][]> =>
  useGet(
    ['/api-keys', 'sites'],
    async (signal) => {
      const { data } = await answer(api.GET('/api-keys', { params: { query: { limit: MOST } }, signal }))
      return data.filter(({ kind, revokedAt }) => kind === 'publishable' && revokedAt === null)
    },
    { isOff },
  )

/** What tells a website from others. */
export const siteOf = ({ allowedOrigins, name }: Schemas['ApiKey']): string =>
  (allowedOrigins[0] ?? name).replace(/^https?:\/\//, '')

/** While one is being made or fetched, the list is asked for again until it is there. */
const MAKING_MILLIS = 1500

export const readBackups = (signal?: AbortSignal): Promise<Schemas['Backups']> =>
  answer(api.GET('/server/backups', { ...(signal && { signal }) }))

export const useBackups = (isOff = false): UseQueryResult<Schemas['Backups']> =>
  useQuery({
    queryKey: ['/server/backups'],
    queryFn: ({ signal }) => readBackups(signal),
    enabled: !isOff,
    refetchInterval: ({ state }) => (state.data?.isMaking || state.data?.bucket?.fetched ? MAKING_MILLIS : false),
  })

/** While every byte of one is read. */
const READING_MILLIS = 1000

/** What a backup holds, and what was done here since it was made. */
export const useContents = (name: string): UseQueryResult<Schemas['BackupContents']> =>
  useQuery({
    queryKey: ['/server/backups', name, 'contents'],
    queryFn: ({ signal }) => answer(api.GET('/server/backups/{name}/contents', { params: { path: { name } }, signal })),
    refetchInterval: ({ state }) => (state.data?.isReading ? READING_MILLIS : false),
  })

/** While a backup is put in place. */
const RESTORING_MILLIS = 1500

const isUnderWay = (restore: Schemas['ServerRestore'] | undefined): boolean =>
  restore?.step === 'checking' || restore?.step === 'restoring'

/** What became of a restore. The server is away in between, and knows no session afterwards: what was seen last stays. */
export const useRestore = (): UseQueryResult<Schemas['ServerRestore']> & { isUnderWay: boolean } => {
  const restore = useQuery({
    queryKey: ['/server/restore'],
    queryFn: ({ signal }) => answer(api.GET('/server/restore', { signal })),
    retry: false,
    refetchInterval: ({ state }) => {
      const isOut = state.error instanceof Problem && state.error.status === 401
      return isUnderWay(state.data) && !isOut ? RESTORING_MILLIS : false
    },
  })
  return { ...restore, isUnderWay: isUnderWay(restore.data) }
}

/** While a version is put in, the server is away in between: what was seen last stays. */
const INSTALLING_MILLIS = 3000

const readUpdates = (signal: AbortSignal): Promise<Schemas['ServerUpdates']> =>
  answer(api.GET('/server/updates', { signal }))

export const useUpdates = (isOff = false): UseQueryResult<Schemas['ServerUpdates']> =>
  useQuery({
    queryKey: ['/server/updates'],
    queryFn: ({ signal }) => readUpdates(signal),
    enabled: !isOff,
    refetchInterval: ({ state }) => (state.data?.isInstalling ? INSTALLING_MILLIS : false),
  })

/** While a certificate is ordered. */
const ORDERING_MILLIS = 2000

const readHttps = (signal: AbortSignal): Promise<Schemas['ServerHttps']> => answer(api.GET('/server/https', { signal }))

export const useHttps = (): UseQueryResult<Schemas['ServerHttps']> =>
  useQuery({
    queryKey: ['/server/https'],
    queryFn: ({ signal }) => readHttps(signal),
    refetchInterval: ({ state }) => (state.data?.isOrdering ? ORDERING_MILLIS : false),
  })

export const useLanName = (): UseQueryResult<Schemas['ServerLanName']> =>
  useGet(['/server/lan-name'], (signal) => answer(api.GET('/server/lan-name', { signal })))

export const readLicense = (signal: AbortSignal): Promise<Schemas['LicenseStatus']> =>
  answer(api.GET('/license', { signal }))
