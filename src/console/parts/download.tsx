import { useState } from 'react'
import { fetchListFile, keep } from '../api/file.ts'
import { Problem } from '../api/problem.ts'
import { useLanguage, useWords } from '../words/language.tsx'
import { Menu } from './menu.tsx'
import { explain } from './problem-notice.tsx'
import { toast } from './toast.tsx'

interface DownloadProps {
  /** Of the list, such as `/students`. */
  path: string
  /** Its filters, as they are now. What is empty is left out. */
  query?: Readonly<Record<string, string | readonly string[] | null | undefined>>
}

/** Gives the whole list as a file, as it is filtered now. */
export const useListFile = ({ path, query = {} }: DownloadProps) => {
  const words = useWords()
  const { locale } = useLanguage()
  const [isBusy, setBusy] = useState(false)
  const give = async (format: 'xlsx' | 'csv') => {
    if (isBusy) return
    setBusy(true)
    const filters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value ?? ''].flat()) if (one !== '') filters.append(name, one)
    }
    try {
      const file = await fetchListFile(`${path}?${filters}`, format, locale)
      keep(file)
      toast(words.shell.downloaded(file.name))
    } catch (error) {
      // A connection that breaks while the file comes says nothing of itself.
      toast(explain(words, error instanceof Problem ? error : new Problem(0)))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, give }
}

export const LIST_FORMATS = ['xlsx', 'csv'] as const

export const Download = (props: DownloadProps) => {
  const { shell } = useWords()
  const { isBusy, give } = useListFile(props)
  return (
    <Menu
      label={isBusy ? shell.downloading : shell.download}
      icon={isBusy ? 'clock' : 'download'}
      entries={LIST_FORMATS.map((format) => ({
        id: format,
        label: shell.formats[format],
        onSelect: () => void give(format),
      }))}
    />
  )
}
