import { platformAdmin } from '#kit/platform-admin.ts'
import type { Example, Examples, World } from '#kit/examples.ts'

let made = 0

/** Lets the institute add custom domains. */
const allowed = async ({ app, institute }: World): Promise<string> => {
  const { id } = institute.tenant
  await app.app.database.write((db) =>
    db
      .updateTable('tenant')
      .set({ feature_overrides: { custom_domain: true } })
      .where('id', '=', id)
      .execute(),
  )
  return id
}

/** A domain of the institute; its name is proven when `isVerified`. */
const newDomain = async (world: World, isVerified = false): Promise<Example> => {
  const admin = await platformAdmin(world.app)
  made += 1
  const { body } = await admin.post(`/platform/tenants/${await allowed(world)}/domains`, {
    domain: `school-${made}.example.org`,
    kind: 'custom',
  })
  if (isVerified) {
    await world.app.app.database.write((db) =>
      db.updateTable('tenant_domain').set({ verified_at: world.app.clock.now() }).where('id', '=', body.id).execute(),
    )
  }
  return { as: admin, params: { id: body.id } }
}

export const domainExamples: Examples = {
  'platform-domains.list': async (world) => ({
    as: await platformAdmin(world.app),
    params: { id: world.institute.tenant.id },
  }),
  'platform-domains.create': async (world) => {
    made += 1
    return {
      as: await platformAdmin(world.app),
      params: { id: await allowed(world) },
      body: { domain: `School-${made}.example.org`, kind: 'custom' },
    }
  },
  // Without a name server the proof of a domain is that it was verified before.
  'platform-domains.verify': (world) => newDomain(world, true),
  'platform-domains.make-primary': (world) => newDomain(world, true),
  'platform-domains.delete': (world) => newDomain(world),
}
