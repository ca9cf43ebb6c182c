import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useCovers, useUndo } from './cover-reads.ts'

/** Who stands in for whom in the week. Nothing is shown where nobody does. */
export const Covers = ({ dates }: { dates: readonly string[] }) => {
  const all = useWords()
  const { week: words, shell } = all
  const format = useFormat()
  const { can, institute } = useMe()
  const covers = useCovers(dates).data?.data ?? []
  const undo = useUndo()
  if (covers.length === 0) return null
  const end = (id: string, name: string) =>
    undo.mutate(id, {
      onSuccess: () => toast(words.cover.undone(name)),
      onError: (error) => toast(explain(all, error)),
    })
  return (
    <ul className="card covers" aria-label={words.cover.title}>
      {covers.map(({ id, staffName, substituteName, from, to, reason, coveredSessions }) => (
        <li key={id} className="row">
          <Icon name="people" />
          <span className="grow">
            <span className="name">{words.cover.standsIn(substituteName, staffName)}</span>
            <span className="about">
              <Dotted>
                {from === to ? format.longDate(from) : format.range(from, to)}
                {words.lessons(coveredSessions)}
                {reason !== null && <bdi>{reason}</bdi>}
              </Dotted>
            </span>
          </span>
          {can('groups.write') && !institute.isReadOnly && (
            <Button look="quiet" isBusy={undo.isPending && undo.variables === id} onPress={() => end(id, staffName)}>
              {shell.undo}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
