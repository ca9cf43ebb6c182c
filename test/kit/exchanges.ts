import { appendFileSync, mkdirSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { PipelineDeps } from '#http/pipeline.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { reasonsOf } from '#kernel/values/errors.ts'
import type { Content } from '#kernel/values/media.ts'
import { failuresOf } from '#http/replies/derived-failures.ts'

type Observe = NonNullable<PipelineDeps['observe']>

/** Where all tests of a run record their exchanges, to check that every declared outcome was met. */
export const EXCHANGES_FOLDER = '.cache/exchanges'

/**
 * Checks every exchange against its endpoint's declaration. A reply that does not fit its schema or has an unknown
 * field, and a failure that is not declared, fail the request, and so the test.
 */
export const watchExchanges = (): {
  observe: Observe
  violations: string[]
  flush(endpoints: readonly Endpoint[]): void
} => {
  const violations: string[] = []
  const seen = new Set<string>()
  const violate = (what: string): never => {
    violations.push(what)
    throw new Error(what)
  }
  return {
    violations,
    observe: ({ endpoint, status, reply, error }) => {
      if (error) {
        if (!failuresOf(endpoint).some((failure) => failure.spec.name === error.spec.name)) {
          violate(
            `${endpoint.id} refused with ${error.spec.code} (${error.spec.name}), which is missing in \`fails\` of its declaration`,
          )
        }
        const reasons = reasonsOf(error.spec)
        if (reasons && !reasons.includes(error.details?.['reason'] as string)) {
          violate(
            `${endpoint.id} refused with ${error.spec.name} for no declared reason: ${JSON.stringify(error.details)}`,
          )
        }
        seen.add(`${endpoint.id} ${error.spec.name}`)
        return
      }
      if (status === 500) return
      if (status !== endpoint.status && !endpoint.otherStatuses.includes(status)) {
        violate(`${endpoint.id} answered the undeclared status ${status}`)
      }
      if (endpoint.reply) {
        const plain: unknown = JSON.parse(JSON.stringify(reply))
        const parsed = v.safeParse(endpoint.reply, plain)
        if (!parsed.success) {
          violate(
            `${endpoint.id} answered what its reply’s schema does not take: ${JSON.stringify(v.flatten(parsed.issues))}`,
          )
        }
        if (!isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.output)), plain)) {
          violate(`${endpoint.id} answered fields that its schema does not name: ${JSON.stringify(plain)}`)
        }
      }
      if (typeof endpoint.gives === 'object') {
        const { type } = reply as Content
        if (!endpoint.gives.types.includes(type.split(';')[0] as string)) {
          violate(`${endpoint.id} answered the undeclared media type ${type}`)
        }
      }
      seen.add(`${endpoint.id} ${status}`)
    },
    flush: (endpoints) => {
      mkdirSync(EXCHANGES_FOLDER, { recursive: true })
      const declared = endpoints.flatMap(({ id, status, otherStatuses, fails }) =>
        [status, ...otherStatuses, ...fails.map((failure) => failure.spec.name)].map(
          (outcome) => `declared ${id} ${outcome}`,
        ),
      )
      appendFileSync(
        `${EXCHANGES_FOLDER}/${process.env.TEST_ENGINE ?? 'sqlite'}-${process.pid}.txt`,
        `${[...declared, ...[...seen].map((outcome) => `met ${outcome}`)].join('\n')}\n`,
      )
    },
  }
}
