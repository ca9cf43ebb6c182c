/** Where the program learns the time. Everything that decides by time asks a Clock; tests own theirs. */
export interface Clock {
  /** The present instant as ISO-8601 in UTC with milliseconds, the form in which instants are stored and compared. */
  now(): string
  /** The same instant in milliseconds since the epoch. */
  millis(): number
}

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  millis: () => Date.now(),
}

/** The instant `seconds` after `instant` (or before it, when negative). */
export const plusSeconds = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString()
