import { Link } from 'wouter'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

/** Leads from the list of students to that of parents, and back. */
export const DirectoryTabs = ({ at }: { at: 'students' | 'guardians' }) => {
  const { directory } = useWords()
  const { can } = useMe()
  if (!can('guardians.read')) return null
  return (
    <nav className="list-tabs" aria-label={directory.which}>
      <Link href="/students" aria-current={at === 'students' ? 'page' : undefined}>
        {directory.students}
      </Link>
      <Link href="/guardians" aria-current={at === 'guardians' ? 'page' : undefined}>
        {directory.guardians}
      </Link>
    </nav>
  )
}
