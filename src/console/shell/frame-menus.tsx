import { useLocation } from 'wouter'
import { signOut } from '../api/session.ts'
import type { MenuEntry } from '../parts/menu.tsx'
import { explain } from '../parts/problem-notice.tsx'
import { toast } from '../parts/toast.tsx'
import { LOCALES } from '../../shared/locale.ts'
import { OWN_NAMES } from '../words/locale.ts'
import { useLanguage } from '../words/language.tsx'
import { useMe } from './me.tsx'
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

/** What is the signed-in person's own. @param listKeys shows the keys, where there is a keyboard */
export const useAccountEntries = (listKeys?: () => void): MenuEntry[] => {
  const { locale, words } = useLanguage()
  const choose = useChooseLanguage()
  const [, go] = useLocation()
  const leave = () => signOut().catch((error: unknown) => toast(explain(words, error)))
  return [
    { id: 'account', label: words.shell.nav.account, icon: 'user', startsGroup: true, onSelect: () => go('/account') },
    ...LOCALES.filter((id) => id !== locale).map((id) => ({
      id,
      label: OWN_NAMES[id],
      icon: 'globe' as const,
      onSelect: () => choose(id),
    })),
    ...(listKeys ? [{ id: 'keys', label: words.keys.title, icon: 'keys' as const, onSelect: listKeys }] : []),
    { id: 'out', label: words.shell.signOut, icon: 'out', onSelect: () => void leave() },
  ]
}
