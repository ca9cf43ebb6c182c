import type { Credential } from '#kernel/contract/credential.ts'

/** Of uploads, of files and of the archive of an export. */
export const FILE_ADDRESS: Credential = {
  name: 'file-address',
  of: 'user',
  opens: 'One file or archive to read for five minutes, or one upload for a quarter of an hour.',
  lasting: false,
  purposes: ['file-address'],
  ends: [],
  why: 'It is over in minutes, and at once with the file; that of a bucket is checked by the bucket, which knows no sessions. A locked institute takes no bytes.',
}
