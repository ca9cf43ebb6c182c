import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { answer, api, type Schemas } from '../../api/client.ts'
import { ownAddress } from '../../api/own-address.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { readFile } from './reads.ts'
import { ENDINGS } from './taken.ts'
import { Uploading } from './uploading.tsx'
import { useUploads } from './use-uploads.ts'

type Attached = Schemas['File']

interface FilesProps {
  of: 'student' | 'guardian' | 'group'
  id: string
}

/** The files that are attached to a record: to look at, to add to, to delete. */
export const Files = ({ of: entityType, id: entityId }: FilesProps) => {
  const { files: words } = useWords()
  const { can, institute } = useMe()
  const { uploads, add, again, drop } = useUploads({ entityType, entityId })
  const pages = usePages<Attached>(['/files/of', entityType, entityId], (cursor, signal) => {
    const params = { path: { entityType, id: entityId }, query: { limit: 20, ...(cursor && { cursor }) } }
    return answer(api.GET('/files/of/{entityType}/{id}', { params, signal }))
  })
  const [removed, setRemoved] = useState<Attached>()
  const mayWrite = can('files.write') && !institute.isReadOnly
  const list = (
    <>
      <Uploading uploads={uploads} onAgain={again} onDrop={drop} />
      <Rows pages={pages} label={words.title} keyOf={({ id }) => id} empty={words.none}>
        {(file) => <FileRow file={file} {...(mayWrite && { onRemove: () => setRemoved(file) })} />}
      </Rows>
    </>
  )
  return (
    <Section
      title={words.title}
      actions={
        mayWrite && (
          <FileTrigger allowsMultiple acceptedFileTypes={ENDINGS} onSelect={(chosen) => add([...(chosen ?? [])])}>
            <Button look="quiet" icon="plus">
              {words.add}
            </Button>
          </FileTrigger>
        )
      }
    >
      {mayWrite ? (
        <DropZone
          className="drop-zone"
          aria-label={words.drop}
          onDrop={({ items }) => {
            const dropped = items.filter((item) => item.kind === 'file').map((item) => item.getFile())
            void Promise.all(dropped).then(add)
          }}
        >
          {list}
        </DropZone>
      ) : (
        list
      )}
      {removed && <Remove file={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  )
}

const FileRow = ({ file, onRemove }: { file: Attached; onRemove?: () => void }) => {
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

const Remove = ({ file: { id, originalName }, onClose }: { file: Attached; onClose: () => void }) => {
  const { files: words } = useWords()
  const remove = useChange('file', async () => {
    await answer(api.DELETE('/files/{id}', { params: { path: { id } } }))
    toast(words.removed(originalName))
  })
  return (
    <Confirm
      title={words.removeTitle(originalName)}
      verb={words.verb}
      isDangerous
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutateAsync(undefined)}
    >
      <p>{words.removeText}</p>
    </Confirm>
  )
}
