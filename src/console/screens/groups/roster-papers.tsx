import { LIST_FORMATS, useListFile } from '../../parts/download.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { usePaper } from '../../parts/paper-button.tsx'
import { useIsWide } from '../../shell/device.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

/** From here on a page is printed from the window. A phone has the list as a PDF. */
const DESK = 900

/** What one takes along of a class: its list, the phones of its families, the page itself on paper. */
export const RosterPapers = ({ groupId, hasMembers }: { groupId: string; hasMembers: boolean }) => {
  const { groups: words, shell } = useWords()
  const { can } = useMe()
  const isWide = useIsWide(DESK)
  const paper = usePaper()
  const contacts = useListFile({ path: `/groups/${groupId}/contacts` })
  const entries: MenuEntry[] = []
  if (can('attendance.read')) {
    const onSelect = () => void paper.give(`/groups/${groupId}/roster/pdf`)
    entries.push({ id: 'class', label: words.classList, onSelect })
  }
  if (hasMembers && can('guardians.read')) {
    const onSelect = () => void paper.give(`/groups/${groupId}/contacts/pdf`)
    entries.push({ id: 'contacts', label: words.contacts(shell.paper), onSelect })
    for (const format of LIST_FORMATS) {
      const label = words.contacts(shell.formats[format])
      entries.push({ id: format, label, onSelect: () => void contacts.give(format) })
    }
  }
  if (hasMembers && isWide) {
    entries.push({ id: 'print', label: words.print, startsGroup: true, onSelect: () => window.print() })
  }
  if (entries.length === 0) return null
  return <Menu label={words.papers} text={words.papers} className="button quiet" entries={entries} />
}
