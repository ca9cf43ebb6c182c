const HOUR = 3600
const WAITS_OF_FOUR_HOURS = 11

/**
 * Seconds between the attempts to send a mail where the mail server is at fault: two days in all. Nobody looks after an
 * office's server on a weekend, and what lets a mail in only the second time (greylisting) takes minutes.
 */
export const MAIL_RETRY_SECONDS: readonly number[] = [
  60,
  300,
  1440,
  1800,
  HOUR,
  2 * HOUR,
  ...Array<number>(WAITS_OF_FOUR_HOURS).fill(4 * HOUR),
]
