import { IconButton } from '../../parts/button.tsx'
import { usePaper } from '../../parts/paper-button.tsx'
import { useWords } from '../../words/language.tsx'

/** Gives a paper by its number, where there is no room for a word. */
export const PaperIcon = ({ path, number }: { path: string; number: string }) => {
  const { own: words } = useWords()
  const { isBusy, give } = usePaper()
  return (
    <IconButton icon={isBusy ? 'clock' : 'download'} label={words.paperOf(number)} onPress={() => void give(path)} />
  )
}
