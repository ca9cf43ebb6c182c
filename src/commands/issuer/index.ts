import type { Commands } from '../command.ts'
import { issuerApi } from './any-request.ts'
import { issuerJobDrop, issuerJobRetry, issuerJobs } from './jobs.ts'
import {
  issuerLicenseCreate,
  issuerLicenseLock,
  issuerLicenses,
  issuerLicenseShow,
  issuerLicenseUnlock,
  issuerLicenseUnlockToken,
} from './licenses.ts'
import { issuerQueueLanes, issuerQueuePause, issuerQueueResume, issuerQueueRetry, issuerQueues } from './queues.ts'
import { issuerLogin, issuerLogout, issuerWhoami } from './sign-in.ts'
import {
  issuerTenantArchive,
  issuerTenantCreate,
  issuerTenantLock,
  issuerTenants,
  issuerTenantShow,
  issuerTenantUnlock,
} from './tenants.ts'

/** What an issuer's operator does every day, at a server anywhere, over its API. */
export const issuerCommands: Commands = {
  'vendor login': issuerLogin,
  'vendor logout': issuerLogout,
  'vendor whoami': issuerWhoami,
  'vendor tenants': issuerTenants,
  'vendor tenant-show': issuerTenantShow,
  'vendor tenant-create': issuerTenantCreate,
  'vendor tenant-lock': issuerTenantLock,
  'vendor tenant-unlock': issuerTenantUnlock,
  'vendor tenant-archive': issuerTenantArchive,
  'vendor licenses': issuerLicenses,
  'vendor license-show': issuerLicenseShow,
  'vendor license-create': issuerLicenseCreate,
  'vendor license-lock': issuerLicenseLock,
  'vendor license-unlock': issuerLicenseUnlock,
  'vendor license-unlock-token': issuerLicenseUnlockToken,
  'vendor queues': issuerQueues,
  'vendor queue-lanes': issuerQueueLanes,
  'vendor queue-pause': issuerQueuePause,
  'vendor queue-resume': issuerQueueResume,
  'vendor queue-retry': issuerQueueRetry,
  'vendor jobs': issuerJobs,
  'vendor job-retry': issuerJobRetry,
  'vendor job-drop': issuerJobDrop,
  'vendor api': issuerApi,
}
