import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sealSecret } from '#modules/webhooks/secrets.ts'
import { verified, verifiedByStandard, type Received } from '#kit/receiver.ts'
import { recordEvents } from '#kit/records.ts'
import { useSubscriptions } from '#kit/subscriptions.ts'

/** Every delivery is signed as Standard Webhooks has it, beside the contract's signature. */

const at = useSubscriptions()
const { subscribe, deliveriesOf, replay } = at

const received = (index: number): Received => at.receiver.received[index] as Received
const header = ({ headers }: Received, name: string) => headers[name] as string
const signaturesOf = (request: Received) => header(request, 'webhook-signature').split(' ')

/** Both ways to verify a delivery, now. @returns the event */
const bothWays = (request: Received, secret: string) => {
  const now = at.app.clock.millis()
  const event = verifiedByStandard(request, secret, now)
  expect(event).toEqual(verified(request, secret, now))
  return event
}

describe('the headers of Standard Webhooks', () => {
  test('are accepted by its library, with the secret as it was shown', async () => {
    const { secret } = await subscribe(200)
    await at.institute.owner.post('/students', {
      branchId: at.institute.branchId,
      firstName: 'نور',
      lastName: 'حدّاد',
    })
    await at.app.drain()
    const request = received(0)
    const event = bothWays(request, secret)
    expect(event.data['lastName']).toBe('حدّاد')
    expect(header(request, 'webhook-id')).toBe(event.id)
    expect(header(request, 'webhook-timestamp')).toBe(header(request, 'x-service-timestamp'))
    expect(signaturesOf(request)).toEqual([expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/)])
    const forged = { ...request, body: request.body.replace('حدّاد', 'x') }
    expect(() => verifiedByStandard(forged, secret, at.app.clock.millis())).toThrow('No matching signature')
  })

  test('are told with the text that was sent, without the secret and what it signs', async () => {
    const { id, secret } = await subscribe(200)
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    const [delivery] = await deliveriesOf({ id })
    const { owner } = at.institute
    const { status, body } = await owner.get(`/webhooks/${id}/deliveries/${delivery.id}`)
    expect(status).toBe(200)
    const request = received(0)
    expect(body.body).toBe(request.body)
    for (const { name, value } of body.headers as { name: string; value: string | null }[]) {
      const sent = header(request, name.toLowerCase())
      expect(sent, name).toEqual(expect.stringMatching(/./))
      if (value === null) expect(name).toMatch(/signature|timestamp/i)
      else expect(value).toBe(sent)
    }
    expect(JSON.stringify(body)).not.toContain(secret)
    const other = await subscribe(200)
    expect((await owner.get(`/webhooks/${other.id}/deliveries/${delivery.id}`)).status).toBe(404)
  })

  test('name the event, the same at every attempt and replay, at the time of each', async () => {
    const endpoint = await subscribe(500, 500, 200)
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    at.app.clock.advance(60)
    await at.app.drain()
    at.app.clock.advance(5)
    const [delivery] = await deliveriesOf(endpoint)
    expect((await replay(endpoint, delivery)).status).toBe(200)
    await at.app.drain()
    const requests = at.receiver.received
    expect(requests).toHaveLength(3)
    expect(requests.map((one) => header(one, 'webhook-id'))).toEqual(requests.map(() => delivery.eventId))
    const times = requests.map((one) => Number(header(one, 'webhook-timestamp')))
    expect(times.map((time) => time - (times[0] as number))).toEqual([0, 60, 65])
    bothWays(received(2), endpoint.secret)
  })

  test('have two signatures during a rotation, of which either secret finds its own', async () => {
    const endpoint = await subscribe(200)
    const rotated = await at.institute.owner.post(`/webhooks/${endpoint.id}/rotate-secret`, { overlapSec: 600 })
    const secrets = [rotated.body.secret, endpoint.secret]
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    expect(signaturesOf(received(0))).toHaveLength(2)
    for (const secret of secrets) bothWays(received(0), secret)
    at.app.clock.advance(600)
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    expect(signaturesOf(received(1))).toHaveLength(1)
    bothWays(received(1), rotated.body.secret)
    expect(() => verifiedByStandard(received(1), endpoint.secret, at.app.clock.millis())).toThrow('No matching')
  })

  test('stand on POST test too', async () => {
    const { id, secret } = await subscribe(204)
    expect((await at.institute.owner.post(`/webhooks/${id}/test`)).body.ok).toBe(true)
    const event = bothWays(received(0), secret)
    expect(event.type).toBe('webhook.test')
    expect(header(received(0), 'webhook-id')).toBe(event.id)
  })

  test('are signed with the decoded bytes of an older secret, which was base64url', async () => {
    const { id } = await subscribe(200)
    const bytes = Buffer.concat([Buffer.from([0xfb, 0xff, 0xbe]), randomBytes(29)])
    const older = `whsec_${bytes.toString('base64url')}`
    expect(older).toMatch(/[-_]/)
    const { app } = at.app
    await app.database.write((db) =>
      db
        .updateTable('webhook_endpoint')
        .set({ secret: sealSecret(app.vault, older) })
        .where('id', '=', id)
        .execute(),
    )
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    const now = at.app.clock.millis()
    const event = verified(received(0), older, now)
    expect(verifiedByStandard(received(0), `whsec_${bytes.toString('base64')}`, now)).toEqual(event)
  })
})

test('new secrets, of an endpoint and of a rotation, are whsec_ and 32 bytes in standard base64', async () => {
  const { id, secret } = await subscribe(200)
  const { body } = await at.institute.owner.post(`/webhooks/${id}/rotate-secret`)
  for (const one of [secret, body.secret]) {
    const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]{43}=)$/.exec(one) ?? []
    expect(Buffer.from(encoded, 'base64')).toHaveLength(32)
  }
})
