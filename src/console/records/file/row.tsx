import { Button as AriaButton } from 'react-aria-components/Button'
import type { Schemas } from '../../api/client.ts'
import { ownAddress } from '../../api/own-address.ts'
import { IconButton } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { readFile } from './reads.ts'

interface FileRowProps {
  file: Schemas['File']
  /** Left out: it cannot be removed. */
  onRemove?: () => void
}

/** A file of a list, which is downloaded at a press. */
export const FileRow = ({ file, onRemove }: FileRowProps) => {
  const all = useWords()
  const format = useFormat()
  const { id, originalName, sizeBytes, createdAt } = file
  // The address that came with the list may be too old.
  const open = async () => {
    try {
      const { downloadUrl } = await readFile(id)
      const link = document.createElement('a')
      link.href = ownAddress(downloadUrl)
      link.click()
    } catch (error) {
      toast(explain(all, error))
    }
  }
  return (
    <div className="with-call">
      <AriaButton className="row plain" onPress={() => void open()}>
        <span className="grow">
          <bdi className="name">{originalName}</bdi>
          <span className="about">
            <Dotted>
              <bdi>{format.date(format.dateOf(createdAt))}</bdi>
              <bdi>{format.bytes(sizeBytes)}</bdi>
            </Dotted>
          </span>
        </span>
        <Icon name="download" />
      </AriaButton>
      {onRemove && <IconButton icon="cross" label={all.files.remove(originalName)} onPress={onRemove} />}
    </div>
  )
}
