import type { Schemas } from '../../api/schemas.ts'
import { Icon } from '../../parts/icon.tsx'
import { useWords } from '../../words/language.tsx'

type Video = Schemas['LessonVideo']

const SITES: Readonly<Record<Video['provider'], string>> = { youtube: 'YouTube', vimeo: 'Vimeo', terabox: 'TeraBox' }

export const siteOf = ({ provider }: Video): string => SITES[provider]

interface WatchProps {
  video: Video
  /** Which lesson it is of, for ears. */
  lesson: string
  isMain?: boolean
}

/**
 * Opens a video at its site, in a window of its own: a player within the page would let scripts of the site into every page
 * of the console, whose policy is one.
 */
export const Watch = ({ video, lesson, isMain = false }: WatchProps) => {
  const { curriculum: words } = useWords()
  return (
    <a
      className={isMain ? 'button primary big' : 'button'}
      href={video.url}
      target="_blank"
      rel="noreferrer"
      aria-label={`${words.watchOn(siteOf(video))}: ${lesson}`}
    >
      <Icon name="play" />
      {words.watchOn(siteOf(video))}
    </a>
  )
}
