import type { Module } from '#kernel/contract/module.ts'
import { auditEndpoints } from './endpoints.ts'

export { AuditEntry, listPlatformAudit, PlatformAuditQuery } from './entries.ts'

export const auditModule: Module = {
  name: 'audit',
  tags: {
    audit: 'Who changed what, and when.',
  },
  reads: {
    runtime: ['audit_entry'],
    groups: ['enrollment', 'group'],
    identity: ['user'],
    members: ['membership'],
    people: ['student'],
  },
  endpoints: auditEndpoints,
}
