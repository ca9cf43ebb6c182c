import { useState } from 'react'
import { fetchPaper, keep } from '../api/file.ts'
import { Problem } from '../api/problem.ts'
import { useLanguage, useWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { explain } from './problem-notice.tsx'
import { toast } from './toast.tsx'

interface PaperButtonProps {
  /** Of the paper, such as `/invoices/<id>/pdf`. */
  path: string
  /** What is given, where the page does not say it. */
  children?: string
}

/** Gives records as PDF, to print or to send. */
export const usePaper = (): { isBusy: boolean; give(path: string): Promise<void> } => {
  const words = useWords()
  const { locale } = useLanguage()
  const [isBusy, setBusy] = useState(false)
  const give = async (path: string) => {
    if (isBusy) return
    setBusy(true)
    try {
      const file = await fetchPaper(path, locale)
      keep(file)
      toast(words.shell.downloaded(file.name))
    } catch (error) {
      toast(explain(words, error instanceof Problem ? error : new Problem(0)))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, give }
}

export const PaperButton = ({ path, children }: PaperButtonProps) => {
  const { shell } = useWords()
  const { isBusy, give } = usePaper()
  return (
    <Button look="quiet" icon="download" isBusy={isBusy} onPress={() => void give(path)}>
      {children ?? shell.paper}
    </Button>
  )
}
