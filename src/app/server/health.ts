import * as v from 'valibot'
import { read, type Endpoint } from '#kernel/contract/endpoint.ts'
import type { Check } from '#kernel/contract/check.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { list, ts } from '#kernel/values/schema.ts'
import {
  checkAddress,
  checkBackups,
  checkClock,
  checkDisk,
  checksOf,
  checkVendor,
  findingsOf,
  type Patient,
} from './checks.ts'

/** What is looked at while the program runs; `institute doctor` looks at the keys and the whole database too. */
const ABOUT = ['disk', 'clock', 'mail', 'queue', 'bucket', 'files', 'backups', 'address', 'proxy', 'vendor'] as const
type About = (typeof ABOUT)[number]

const ServerHealth = named(
  'ServerHealth',
  v.object({
    at: ts,
    findings: list(
      named(
        'HealthFinding',
        v.object({ about: v.picklist(ABOUT), state: v.picklist(['ok', 'warning', 'wrong']), text: v.string() }),
        {
          about: 'What was looked at.',
          state: 'ok; warning: somebody should know; wrong: the institute does not work, or its data is in danger.',
          text: 'What was seen, in English, for whoever looks after the server.',
        },
      ),
    ),
  }),
  { at: 'When it was looked at.', findings: 'What was seen.' },
)

/** Some of them ask other servers, and look at every file. */
const LOOKS = [{ per: 'caller', requests: 10, seconds: 60 }] as const

const isKnown = (about: string): about is About => (ABOUT as readonly string[]).includes(about)

export interface HealthDeps extends Patient {
  /** The checks that the modules bring. */
  checks: () => readonly Check[]
}

/** Whether all is well with the server, for the owner of a self-hosted one. */
export const healthEndpoint = ({ checks, ...patient }: HealthDeps): Endpoint =>
  read({
    id: 'server.health',
    path: '/server/health',
    summary: 'Whether all is well with the server',
    description: 'What `institute doctor` sees while the program runs. It takes some seconds. In cloud mode 404.',
    access: 'owner',
    closed: patient.config.mode === 'cloud' ? NotFound : undefined,
    limits: LOOKS,
    reply: ServerHealth,
    fails: [NotFound],
    handle: async ({ now }) => {
      const own = {
        disk: checkDisk,
        clock: checkClock,
        backups: checkBackups,
        address: checkAddress,
        vendor: checkVendor,
      }
      const seen = await findingsOf(patient.config, [...checksOf(patient, own), ...checks()])
      const known = seen.flatMap(({ about, ...finding }) => (isKnown(about) ? [{ about, ...finding }] : []))
      return { at: now, findings: known.toSorted((a, b) => ABOUT.indexOf(a.about) - ABOUT.indexOf(b.about)) }
    },
  })
