import { useLocation } from 'wouter'
import { selectInstitute, signOut } from '../api/session.ts'
import type { MenuEntry } from '../parts/menu.tsx'
import { explain } from '../parts/problem-notice.tsx'
import { toast } from '../parts/toast.tsx'
import { LOCALES } from '../../shared/locale.ts'
import { OWN_NAMES } from '../words/locale.ts'
import { useLanguage, useWords } from '../words/language.tsx'
import { useMe, useWho } from './me.tsx'
import { useChooseLanguage } from './own-language.ts'

/** The branches to choose from; none where there is one, and for a family, which has no lists. */
export const useBranchEntries = (): MenuEntry[] => {
  const { words } = useLanguage()
  const { branches, branchId, chooseBranch, isStaff } = useMe()
  if (branches.length < 2 || !isStaff) return []
  return [
    {
      id: 'all',
      label: words.shell.allBranches,
      isChosen: branchId === null,
      startsGroup: true,
      onSelect: () => chooseBranch(null),
    },
    ...branches.map(({ id, name }) => ({
      id,
      label: name,
      isChosen: id === branchId,
      onSelect: () => chooseBranch(id),
    })),
  ]
}

const useLeaving = () => {
  const { words } = useLanguage()
  return (leave: () => Promise<void>) => () => void leave().catch((error: unknown) => toast(explain(words, error)))
}

/** What is the signed-in person's own. @param listKeys shows the keys, where there is a keyboard */
const useOwnEntries = (listKeys?: () => void): MenuEntry[] => {
  const { locale, words } = useLanguage()
  const choose = useChooseLanguage()
  const [, go] = useLocation()
  const leaving = useLeaving()
  return [
    { id: 'account', label: words.shell.nav.account, icon: 'user', startsGroup: true, onSelect: () => go('/account') },
    ...LOCALES.filter((id) => id !== locale).map((id) => ({
      id,
      label: OWN_NAMES[id],
      icon: 'globe' as const,
      onSelect: () => choose(id),
    })),
    ...(listKeys ? [{ id: 'keys', label: words.keys.title, icon: 'keys' as const, onSelect: listKeys }] : []),
    { id: 'out', label: words.shell.signOut, icon: 'out', onSelect: leaving(signOut) },
  ]
}

/** The same in an institute, with the way to the platform for who manages it. */
export const useAccountEntries = (listKeys?: () => void): MenuEntry[] => {
  const { platform } = useWords()
  const { isPlatformAdmin } = useMe()
  const leaving = useLeaving()
  const own = useOwnEntries(listKeys)
  if (!isPlatformAdmin) return own
  return [
    { id: 'platform', label: platform.title, icon: 'settings', onSelect: leaving(() => selectInstitute(null)) },
    ...own,
  ]
}

/** The same on the platform, with the institutes in which its reader works too. */
export const usePlatformEntries = (): MenuEntry[] => {
  const { memberships } = useWho()
  const leaving = useLeaving()
  const own = useOwnEntries()
  const institutes = memberships.filter(({ status }) => status === 'active')
  return [
    ...institutes.map(({ tenantId, tenantName }) => ({
      id: tenantId,
      label: tenantName,
      icon: 'groups' as const,
      onSelect: leaving(() => selectInstitute(tenantId)),
    })),
    ...own,
  ]
}
