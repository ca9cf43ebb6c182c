/** Why an update is not taken. The page, the vendor and the log know these names. */
export const UPDATE_REASONS = [
  // Of what is offered.
  'unreachable',
  'malformed',
  'not_an_update',
  'bad_signature',
  'keys_gap',
  'wrong_channel',
  'manifest_expired',
  'manifest_rolled_back',
  'not_newer',
  'from_too_old',
  'wrong_machine',
  // Of the file.
  'file_incomplete',
  'file_differs',
  'no_file',
  'disk_full',
  // Of this server.
  'switched_off',
  'no_keys',
  'not_installed',
  'no_systemd',
  'container',
  'postgres',
  // Of putting it in.
  'installer_refused',
  'went_back',
  'power_cut',
] as const
export type UpdateReason = (typeof UPDATE_REASONS)[number]

export class UpdateRefused extends Error {
  readonly reason: UpdateReason
  /** What was seen, in English; empty: the reason says it all. */
  readonly detail: string

  constructor(reason: UpdateReason, detail = '') {
    super(detail === '' ? reason : `${reason}: ${detail}`)
    this.name = 'UpdateRefused'
    this.reason = reason
    this.detail = detail
  }
}
