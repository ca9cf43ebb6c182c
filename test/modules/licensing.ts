import type { Owed } from '#kit/owed.ts'
import { newLicense } from '#kit/licenses.ts'

export const owed: Owed = {
  tables: {
    license: { few: 'the vendor’s: one for each institute with a server of its own' },
    license_install: { few: 'a handful for each licence' },
    license_signal: { few: 'one of each kind for an install at the most' },
    license_command: { few: 'as many as people at the vendor give' },
  },
  records: { licenseId: async ({ app, institute }) => (await newLicense(app, institute)).id },
  kept: ({ first, nth, at }) => {
    const tenant_id = first('tenant')['id']
    const [license_id, license_install_id] = [nth(1), nth(2)]
    return {
      license: [
        {
          id: license_id,
          tenant_id,
          jti: 'jti',
          token: 'sealed',
          max_installs: 1,
          state: 'locked',
          last_seq: 1,
          created_at: at,
          updated_at: at,
        },
      ],
      license_install: [
        {
          id: license_install_id,
          license_id,
          install_id: nth(3),
          app_version: '1.0.0',
          heartbeat_counter: 1,
          last_nonce: 'nonce',
          max_observed_at: at,
          acknowledged_seq: 0,
          first_seen_at: at,
          last_seen_at: at,
        },
      ],
      license_signal: [
        {
          license_install_id,
          kind: 'clock_rollback',
          severity: 'info',
          detail: 'x',
          detected_at: at,
          last_detected_at: at,
        },
      ],
      license_command: [{ id: nth(4), license_id, seq: 1, kind: 'lock', reason: 'x', issued_at: at }],
    }
  },
}
