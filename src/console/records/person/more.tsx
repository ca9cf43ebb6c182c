import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { PersonDataSheet } from './data.tsx'

interface PersonMoreProps {
  /** Of the record, such as `/students/<id>`. */
  of: string
  /** The file of all that is kept, such as `/students/<id>/data`. */
  path: string
  name: string
  /** undefined: the reader may not merge it. */
  merge: ((props: { isOpen: boolean; onClose: () => void }) => ReactNode) | undefined
}

/** What one needs rarely of a person: another record of theirs, for the owner their data and its end. */
export const PersonMore = ({ of, path, name, merge }: PersonMoreProps) => {
  const { erasure, merge: merging, personFile, shell } = useWords()
  const me = useMe()
  const [, navigate] = useLocation()
  const [shown, setShown] = useState<'merge' | 'data'>()
  const close = () => setShown(undefined)
  const entries: MenuEntry[] = []
  if (merge) entries.push({ id: 'merge', label: merging.mergeWith, onSelect: () => setShown('merge') })
  if (isOwner(me)) {
    entries.push(
      { id: 'data', label: personFile.theirData, onSelect: () => setShown('data') },
      {
        id: 'erase',
        label: erasure.erase,
        isDangerous: true,
        startsGroup: true,
        onSelect: () => navigate(`${of}/erase`),
      },
    )
  }
  if (entries.length === 0) return null
  return (
    <>
      <Menu label={shell.more} entries={entries} />
      {merge?.({ isOpen: shown === 'merge', onClose: close })}
      <PersonDataSheet path={path} name={name} isOpen={shown === 'data'} onClose={close} />
    </>
  )
}
