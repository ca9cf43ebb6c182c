import { Problem } from '../../api/problem.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Upload } from './use-uploads.ts'

interface UploadingProps {
  uploads: readonly Upload[]
  onAgain: (upload: Upload) => void
  onDrop: (id: string) => void
}

/** What is on its way, and what was not taken and why. */
export const Uploading = ({ uploads, onAgain, onDrop }: UploadingProps) => {
  const { files: words } = useWords()
  const format = useFormat()
  return uploads.map((upload) => {
    const { id, file, share, problem } = upload
    if (problem !== undefined) {
      return <NotAdded key={id} upload={upload} problem={problem} onAgain={onAgain} onDrop={onDrop} />
    }
    return (
      <Notice key={id} meaning="info" icon="clock">
        <span className="grow">{words.sending(file.name)}</span>
        <progress className="sent" value={share} max={1} aria-label={words.sending(file.name)} />
        <span>{format.percent(Math.round(share * 100) / 100)}</span>
      </Notice>
    )
  })
}

interface NotAddedProps extends Omit<UploadingProps, 'uploads'> {
  upload: Upload
  problem: NonNullable<Upload['problem']>
}

const NotAdded = ({ upload, problem, onAgain, onDrop }: NotAddedProps) => {
  const all = useWords()
  const { files: words, shell } = all
  const { name } = upload.file
  // The server has looked into it.
  const isOther = problem instanceof Problem && problem.status === 422
  return (
    <Notice meaning="bad" isAlert>
      <span className="grow">
        {problem instanceof Problem
          ? isOther
            ? words.faults.content(name)
            : `${words.failed(name)} ${explain(all, problem)}`
          : words.faults[problem](name)}
      </span>
      {problem instanceof Problem && !isOther && (
        <Button look="quiet" onPress={() => onAgain(upload)}>
          {shell.retry}
        </Button>
      )}
      <IconButton icon="cross" label={shell.close} onPress={() => onDrop(upload.id)} />
    </Notice>
  )
}
