import type { Credential } from '#kernel/contract/credential.ts'

export const BACKUP_ADDRESS: Credential = {
  name: 'backup-address',
  of: 'user',
  opens: 'One backup, with everything in it, for five minutes. It is given for the password alone.',
  lasting: true,
  purposes: ['backup-address'],
  ends: [],
  why: 'It is over in five minutes, and the bytes that were taken with it cannot be taken back.',
}
