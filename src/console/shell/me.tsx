import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { answer, api, type Schemas } from '../api/client.ts'
import { holdDeviceKey } from '../api/device-seal.ts'
import { ownAddress } from '../api/own-address.ts'
import { useGet } from '../api/queries.ts'
import { isBoundToInstitute } from '../api/session.ts'
import { useBranches } from './branches.ts'

interface Me {
  user: Schemas['UserSummary']
  memberships: readonly Schemas['MembershipSummary'][]
  /** Of the institute that the session is bound to. */
  membership: Schemas['MembershipSummary']
  institute: Schemas['Institute']
  /** The active branches that the caller may see. */
  branches: readonly Schemas['Branch'][]
  /** The branch that lists are limited to; null: all. */
  branchId: string | null
  chooseBranch: (id: string | null) => void
  /** Whether the caller holds one of these, were it for one branch only. */
  can: (...permissions: Schemas['Permission'][]) => boolean
  /** Where the caller holds a permission: in all branches, or in these. */
  placesOf: (permission: Schemas['Permission']) => 'all' | readonly string[]
  /** Whether the caller holds it for the whole institute: what belongs to no branch is changed with that alone. */
  canEverywhere: (permission: Schemas['Permission']) => boolean
  isTeacher: boolean
  /** Whether the account is left as it is: a platform admin works in the name of the user, or the user looks as a role. */
  isImpersonated: boolean
  /** The role as which the user looks; null: they work. */
  preview: Schemas['CurrentPreview'] | null
  /** Whether they manage the platform too, once they have left the institute. */
  isPlatformAdmin: boolean
  isStaff: boolean
}

const MeContext = createContext<Me | undefined>(undefined)

/** Who is signed in, whether in an institute or on the platform. */
type Who = Pick<Me, 'user' | 'memberships' | 'isImpersonated'>

const WhoContext = createContext<Who | undefined>(undefined)

const BRANCH_KEY = 'institute.branch'

interface MeProviderProps {
  /** While it loads. */
  waiting: ReactNode
  /** Where the session is bound to no institute, or to one that is closed to this person by now. */
  choose: (memberships: readonly Schemas['MembershipSummary'][], isPlatformAdmin: boolean) => ReactNode
  /** Of a platform admin who is in no institute. */
  platform: ReactNode
  /** Where a role asks for a second step that this session lacks: nothing else is answered either. */
  needsMore: (isImpersonated: boolean) => ReactNode
  /** Where the institute is locked: little else is answered. */
  locked: (institute: Schemas['Institute'], me: Omit<Schemas['CurrentUser'], 'deviceKey'>) => ReactNode
  failed: (problem: unknown, retry: () => void) => ReactNode
  children: ReactNode
}

/** Who is signed in, of which institute, and what they may do: three requests that all pages share. */
export const MeProvider = ({ waiting, choose, platform, needsMore, locked, failed, children }: MeProviderProps) => {
  const me = useGet(['/auth/me'], async (signal) => {
    const { deviceKey, ...known } = await answer(api.GET('/auth/me', { signal }))
    holdDeviceKey(deviceKey)
    return known
  })
  // The session says so itself, so that the three are asked at once.
  const isBound = isBoundToInstitute()
  const institute = useGet(['/institute'], (signal) => answer(api.GET('/institute', { signal })), {
    isOff: !isBound,
  })
  const branches = useBranches(!isBound || institute.data?.isLocked === true)
  const [branchId, setBranchId] = useState(() => localStorage.getItem(BRANCH_KEY))

  const value = useMemo((): Me | undefined => {
    const membership = me.data?.memberships.find(({ tenantId }) => tenantId === me.data.activeTenantId)
    if (!me.data || !membership || !institute.data || !branches.data) return undefined
    const { user, memberships, permissions, limits, impersonatedBy, isPlatformAdmin, preview } = me.data
    const { logoUrl } = institute.data
    const placesOf = (wanted: Schemas['Permission']) => {
      const limit = limits.find(({ permission }) => permission === wanted)
      return limit?.branchIds ?? (permissions.includes(wanted) ? 'all' : [])
    }
    const active = branches.data.filter(({ isActive }) => isActive)
    return {
      user,
      memberships,
      membership,
      institute: { ...institute.data, logoUrl: logoUrl && ownAddress(logoUrl) },
      branches: active,
      branchId: active.length > 1 && active.some(({ id }) => id === branchId) ? branchId : null,
      chooseBranch: (id) => {
        if (id === null) localStorage.removeItem(BRANCH_KEY)
        else localStorage.setItem(BRANCH_KEY, id)
        setBranchId(id)
      },
      can: (...wanted) => wanted.some((permission) => permissions.includes(permission)),
      placesOf,
      canEverywhere: (permission) => placesOf(permission) === 'all',
      isTeacher: permissions.includes('attendance.mark'),
      isStaff: permissions.length > 0,
      isImpersonated: impersonatedBy !== null || preview !== null,
      preview,
      isPlatformAdmin,
    }
  }, [me.data, institute.data, branches.data, branchId])

  if (me.data?.needsSecondFactor) return needsMore(me.data.impersonatedBy !== null)
  if (value) {
    return (
      <WhoContext value={value}>
        <MeContext value={value}>{children}</MeContext>
      </WhoContext>
    )
  }
  if (me.data && institute.data?.isLocked) return locked(institute.data, me.data)
  if (me.data?.isPlatformAdmin && !isBound) {
    const { user, memberships } = me.data
    return <WhoContext value={{ user, memberships, isImpersonated: false }}>{platform}</WhoContext>
  }
  if (me.data && me.data.activeTenantId === null) return choose(me.data.memberships, me.data.isPlatformAdmin)
  const problem = me.error ?? institute.error ?? branches.error
  if (problem) {
    return failed(problem, () => {
      for (const query of [me, institute, branches]) if (query.error) void query.refetch()
    })
  }
  return waiting
}

export const useMe = (): Me => {
  const me = useContext(MeContext)
  if (!me) throw new Error('Outside of MeProvider')
  return me
}

export const useWho = (): Who => {
  const who = useContext(WhoContext)
  if (!who) throw new Error('Outside of MeProvider')
  return who
}
