import type { Module } from '#kernel/contract/module.ts'
import { checkFiles } from './check.ts'
import type { FilesDeps } from './deps.ts'
import { fileEndpoints } from './endpoints.ts'
import { fileJobs, sweepUploadsJob } from './jobs.ts'
import { fileTables } from './tables.ts'
import { transferEndpoints } from './transfers.ts'
import { FILE_ADDRESS } from './credentials.ts'

export { FILE_ADDRESS } from './credentials.ts'
export { AddressRefused, FileAddresses, type Download, type Signer } from './addresses.ts'
export { avatarsOf, eraseFiles } from './erase.ts'
export { homeOf } from './home-place.ts'
export { moveFiles, type Moved } from './move.ts'
export { addDocument, placeDocument, type NewDocument } from './documents.ts'
export { objectKey } from './record.ts'
export { MAX_BYTES } from './schemas.ts'
export { missingFiles } from './check.ts'
export { storedBytes } from './uploads.ts'
export { pictureType } from './media-types.ts'
export { avatars, logoAddress, logoBytes, nameLogo } from './pictures.ts'

export const filesModule = ({
  database,
  files,
  addresses,
  alsoOffered,
  lookAtBucket,
  prepareBucket,
  isBackingUp,
}: FilesDeps): Module => ({
  name: 'files',
  tags: {
    files: 'Documents and pictures. Bytes go in and out at signed addresses.',
  },
  tables: fileTables,
  persons: [
    { of: 'student', table: 'file', column: 'student_id' },
    { of: 'guardian', table: 'file', column: 'guardian_id' },
  ],
  credentials: [FILE_ADDRESS],
  reads: {
    billing: ['invoice', 'kept_logo'],
    branches: ['branch'],
    courses: ['course'],
    groups: ['group'],
    imports: ['import'],
    members: ['membership'],
    people: ['staff'],
    'progress-reports': ['progress_report'],
    exams: ['exam'],
    runtime: ['job'],
    sessions: ['session'],
    tenants: ['tenant'],
  },
  endpoints: [...fileEndpoints({ files, addresses }), ...transferEndpoints({ files, addresses, alsoOffered })],
  jobs: fileJobs(files, isBackingUp),
  cronJobs: [{ cron: '47 * * * *', job: sweepUploadsJob }],
  checks: [
    ...(lookAtBucket ? [{ about: 'bucket', look: lookAtBucket }] : []),
    { about: 'files', look: () => checkFiles(database.read, files) },
  ],
  ...(prepareBucket && { start: prepareBucket }),
})
