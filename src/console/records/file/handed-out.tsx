import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import { useFilesOf, type FilesOf } from './reads.ts'
import { FileRow } from './row.tsx'

interface HandedOutProps extends FilesOf {
  count: number
  /** What they belong to, by name. */
  title: string
}

/** Says in a list how many files there are, and shows them at a press. */
export const HandedOut = ({ count, title, ...record }: HandedOutProps) => {
  const { files: words } = useWords()
  const [isOpen, setOpen] = useState(false)
  if (count === 0) return null
  return (
    <>
      <Button look="quiet" icon="download" aria-label={words.countOf(count, title)} onPress={() => setOpen(true)}>
        {words.count(count)}
      </Button>
      <Sheet title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <List {...record} />
      </Sheet>
    </>
  )
}

const List = (record: FilesOf) => {
  const { files: words } = useWords()
  return (
    <Rows pages={useFilesOf(record)} label={words.title} keyOf={({ id }) => id} empty={words.gone}>
      {(file) => <FileRow file={file} />}
    </Rows>
  )
}
