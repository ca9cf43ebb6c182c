import { browserZone } from '../words/browser-zone.ts'
import type { clocks } from '../words/en/clocks.ts'
import { Format } from '../words/format.ts'
import { useFirstLanguage } from '../words/language.tsx'
import { Notice } from './notice.tsx'

/** Less than this is no harm, and no two clocks are the same. */
const MOST_MILLIS = 10 * 60_000

interface ClocksProps {
  words: typeof clocks
  /** What the server's clock said, in milliseconds. */
  server: number
  /** What the clock of this device said then. */
  here: number
}

/** Says so where the clock of this device and the server's are far apart; nobody is held up by it. */
export const Clocks = ({ words, server, here }: ClocksProps) => {
  const { locale } = useFirstLanguage()
  if (!(Math.abs(server - here) > MOST_MILLIS)) return null
  // As the device itself shows the time.
  const format = new Format(locale, browserZone())
  const written = (millis: number) => format.moment(new Date(millis).toISOString())
  return (
    <Notice meaning="warn">
      <span className="grow">{words.differ(written(here), written(server))}</span>
    </Notice>
  )
}
