import { useState } from 'react'
import { Problem } from '../../api/problem.ts'
import { afterChange } from '../../api/queries.ts'
import { randomName } from '../../api/random.ts'
import { uploadFile } from '../../api/upload.ts'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { faultOf, typeOf } from './taken.ts'

/** A file that somebody adds, until it is there. */
export interface Upload {
  id: string
  file: File
  /** How much of it is sent, from 0 to 1. */
  share: number
  /** Why it is not added; undefined: it is on its way. */
  problem?: 'type' | 'size' | 'empty' | Problem
}

/** Sends files one after the other. One that is not taken stays with the reason, until somebody has read it. */
export const useUploads = (of: { entityType: string; entityId: string }) => {
  const { files: words } = useWords()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const drop = (id: string) => setUploads((all) => all.filter((one) => one.id !== id))
  const note = (id: string, what: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...what } : one)))

  const send = async ({ id, file }: Upload): Promise<void> => {
    const type = typeOf(file.name)
    if (type === undefined) return
    try {
      await uploadFile({ file, type, kind: 'document', of, onSent: (share) => note(id, { share }) })
      await afterChange('file')
      drop(id)
      toast(words.added(file.name))
    } catch (error) {
      note(id, { problem: error instanceof Problem ? error : new Problem(0) })
    }
  }

  const add = async (files: readonly File[]): Promise<void> => {
    const added = files.map((file): Upload => {
      const fault = faultOf(file)
      return { id: randomName(), file, share: 0, ...(fault && { problem: fault }) }
    })
    setUploads((all) => [...all, ...added])
    for (const upload of added) if (upload.problem === undefined) await send(upload)
  }

  const again = (upload: Upload): void => {
    setUploads((all) => all.map((one) => (one.id === upload.id ? { id: one.id, file: one.file, share: 0 } : one)))
    void send(upload)
  }

  return { uploads, add: (files: readonly File[]) => void add(files), again, drop }
}
