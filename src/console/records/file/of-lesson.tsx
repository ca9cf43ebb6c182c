import type { Schemas } from '../../api/client.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { HandedOut } from './handed-out.tsx'

/** The files of a lesson, under its name and day. */
export const FilesOfLesson = ({ session }: { session: Schemas['ScheduledSession'] }) => {
  const { own: words } = useWords()
  const format = useFormat()
  const { sessionId, groupName, scheduledStart, fileCount } = session
  const day = format.longDate(format.dateOf(scheduledStart))
  return <HandedOut of="session" id={sessionId} count={fileCount} title={words.filesOf(groupName, day)} />
}
