/** A bare client that posts bodies to a receiver, so many at once. */
import { Pool } from 'undici'
import { answering } from '#kit/child-script.ts'

const HEADERS = {
  'Content-Type': 'application/json',
  'X-Service-Signature': `t=0,v1=${'0'.repeat(64)}`,
  'X-Service-Timestamp': '0',
  'X-Service-Event': 'student.created',
  'X-Service-Delivery': '0',
}

answering(async ({ url, bodies, atOnce }: { url: string; bodies: string[]; atOnce: number }) => {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: atOnce })
  const left = bodies.values()
  const started = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const body of left) {
        const reply = await pool.request({ path: pathname, method: 'POST', headers: HEADERS, body })
        await reply.body.text()
      }
    }),
  )
  const rate = (bodies.length / (performance.now() - started)) * 1000
  await pool.close()
  return { rate }
})
