import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { whyNoRedis } from '#kit/redis.ts'
import { Caller } from '../school-day/caller.ts'
import { Cloud } from '../school-day/cloud.ts'

const PER_MINUTE = 1200
const ASKED = 3000
const AT_ONCE = 30

const why = whyNoRedis()
if (why !== undefined) console.log(`Limits that three processes count together are not tested: ${why}.`)

test.skipIf(why !== undefined)(
  'three processes behind one address let through as much as one',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'institute-cloud-'))
    const cloud = await Cloud.make(folder)
    onTestFinished(async () => {
      await cloud.remove()
      rmSync(folder, { recursive: true, force: true })
    })
    await cloud.start()
    const owner = new Caller(cloud, await cloud.newInstitute())
    const limited = { name: 'Limited', permissions: ['students.read'], rateLimitPerMin: PER_MINUTE }
    const caller = new Caller(cloud, (await owner.send('POST', '/api-keys', limited)).key)
    const statuses: number[] = []
    const begun = performance.now()
    const ask = async (): Promise<void> => {
      while (statuses.length + AT_ONCE <= ASKED) {
        const reply = await caller.attempt('GET', '/students?limit=1')
        statuses.push(reply?.status ?? 0)
        await reply?.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, ask))
    expect(performance.now() - begun).toBeLessThan(60_000)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(statuses.filter((status) => status === 200)).toHaveLength(PER_MINUTE)
  },
)
