/** Where the program learns the time. Everything that decides by time asks a Clock; tests own theirs. */
export interface Clock {
  /** The present instant as ISO-8601 in UTC with milliseconds, the form in which instants are stored and compared. */
  now(): string
  /** The same instant in milliseconds since the epoch. */
  millis(): number
}

/** Asked for several times in a millisecond, and costlier to write than all else that is done with it. */
const written = { millis: 0, text: '' }

export const systemClock: Clock = {
  now: () => {
    const millis = Date.now()
    if (millis !== written.millis) Object.assign(written, { millis, text: new Date(millis).toISOString() })
    return written.text
  },
  millis: () => Date.now(),
}

/** The instant `seconds` after `instant` (or before it, when negative). */
export const plusSeconds = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString()
