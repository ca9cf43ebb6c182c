import { useState } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFilesOf, type FilesOf } from './reads.ts'
import { FileRow } from './row.tsx'
import { ENDINGS } from './taken.ts'
import { Uploading } from './uploading.tsx'
import { useUploads } from './use-uploads.ts'

type Attached = Schemas['File']

interface FilesProps extends FilesOf {
  /** Whether one may add and delete without the permission for files. */
  isOwn?: boolean
  /** Who else sees them. */
  hint?: string
}

/** The files that are attached to a record: to look at, to add to, to delete. */
export const Files = ({ isOwn = false, hint, ...record }: FilesProps) => {
  const { files: words } = useWords()
  const { can, institute } = useMe()
  const { uploads, add, again, drop } = useUploads({ entityType: record.of, entityId: record.id })
  const pages = useFilesOf(record)
  const [removed, setRemoved] = useState<Attached>()
  const mayWrite = (isOwn || can('files.write')) && !institute.isReadOnly
  const list = (
    <>
      {hint !== undefined && <p className="small">{hint}</p>}
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
          <span className="file-triggers">
            <span className="on-touch">
              <FileTrigger
                defaultCamera="environment"
                acceptedFileTypes={['image/*']}
                onSelect={(taken) => add([...(taken ?? [])])}
              >
                <Button look="quiet" icon="camera">
                  {words.photo}
                </Button>
              </FileTrigger>
            </span>
            <FileTrigger allowsMultiple acceptedFileTypes={ENDINGS} onSelect={(chosen) => add([...(chosen ?? [])])}>
              <Button look="quiet" icon="plus">
                {words.add}
              </Button>
            </FileTrigger>
          </span>
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
