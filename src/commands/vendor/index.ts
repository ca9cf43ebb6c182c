import type { Commands } from '../command.ts'
import { vendorApi } from './any-request.ts'
import {
  vendorLicenseCreate,
  vendorLicenseLock,
  vendorLicenses,
  vendorLicenseShow,
  vendorLicenseUnlock,
  vendorLicenseUnlockToken,
} from './licenses.ts'
import { vendorQueueRetry, vendorQueues } from './queues.ts'
import { vendorLogin, vendorLogout, vendorWhoami } from './sign-in.ts'
import {
  vendorTenantArchive,
  vendorTenantCreate,
  vendorTenantLock,
  vendorTenants,
  vendorTenantShow,
  vendorTenantUnlock,
} from './tenants.ts'

/** What a vendor's operator does every day, at a server anywhere, over its API. */
export const vendorCommands: Commands = {
  'vendor login': vendorLogin,
  'vendor logout': vendorLogout,
  'vendor whoami': vendorWhoami,
  'vendor tenants': vendorTenants,
  'vendor tenant-show': vendorTenantShow,
  'vendor tenant-create': vendorTenantCreate,
  'vendor tenant-lock': vendorTenantLock,
  'vendor tenant-unlock': vendorTenantUnlock,
  'vendor tenant-archive': vendorTenantArchive,
  'vendor licenses': vendorLicenses,
  'vendor license-show': vendorLicenseShow,
  'vendor license-create': vendorLicenseCreate,
  'vendor license-lock': vendorLicenseLock,
  'vendor license-unlock': vendorLicenseUnlock,
  'vendor license-unlock-token': vendorLicenseUnlockToken,
  'vendor queues': vendorQueues,
  'vendor queue-retry': vendorQueueRetry,
  'vendor api': vendorApi,
}
