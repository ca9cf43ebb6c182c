/** Why a message does not go to somebody. The log of messages shows these sentences. */
export const REASONS = {
  email: 'There is no email address on record.',
  phone: 'There is no phone number on record.',
  account: 'They have no account here.',
  notSetUp: 'This channel is not set up.',
  off: 'They have switched this channel off.',
  optedOut: 'They have opted out of mails to this address.',
  noText: 'There is no text for this channel.',
  textOff: 'The institute has switched this text off.',
  quota: 'The plan allows no more messages in this month.',
  pace: 'So many messages were sent there by hand within a short while that this one was left out. Send it later.',
  left: 'They have no active account here any more.',
  archived: 'The institute has been archived.',
  dropped: 'The office decided not to send it any more.',
  quiet: 'It waits for the end of the quiet hours.',
} as const

/** How the reasons are called in the API. */
const NAMED = {
  no_email: REASONS.email,
  no_phone: REASONS.phone,
  no_account: REASONS.account,
  not_set_up: REASONS.notSetUp,
  switched_off: REASONS.off,
  opted_out: REASONS.optedOut,
  no_text: REASONS.noText,
  text_off: REASONS.textOff,
  over_quota: REASONS.quota,
  too_often: REASONS.pace,
  no_member: REASONS.left,
  institute_archived: REASONS.archived,
  dropped: REASONS.dropped,
  quiet_hours: REASONS.quiet,
} as const

export type Because = keyof typeof NAMED
export const BECAUSE = Object.keys(NAMED) as [Because, ...Because[]]

const NAMES: ReadonlyMap<string, Because> = new Map(BECAUSE.map((name) => [NAMED[name], name]))

/** The name of a reason of ours; null: the sentence is of the other side. */
export const becauseOf = (reason: string | null): Because | null => NAMES.get(reason ?? '') ?? null
