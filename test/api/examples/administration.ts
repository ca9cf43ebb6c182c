import type { Examples, World } from '#kit/examples.ts'

const newRole = async ({ owner }: World): Promise<string> =>
  (await owner.post('/roles', { name: `Role ${Math.random()}`, permissions: ['students.read'] })).body.id

const emailOf = ({ serial }: World): string => `invited-${serial}-${Math.random()}@example.org`

const newInvited = async (world: World): Promise<string> => {
  const { owner, institute } = world
  const email = emailOf(world)
  await owner.post('/members', { email, roleId: institute.roles.teacher })
  const { body } = await owner.get('/members')
  return body.data.find((member: { email: string }) => member.email === email).membershipId
}

const newMember = async ({ institute }: World): Promise<string> =>
  (await institute.member({ role: 'front_desk' })).membershipId

export const administrationExamples: Examples = {
  'permissions.list': async () => ({}),
  'roles.list': async () => ({}),
  'roles.create': async () => ({ body: { name: `Role ${Math.random()}`, permissions: ['students.write'] } }),
  'roles.read': async (world) => ({ params: { id: await newRole(world) } }),
  'roles.update': async (world) => ({ params: { id: await newRole(world) }, body: { permissions: ['groups.read'] } }),
  'roles.delete': async (world) => ({ params: { id: await newRole(world) } }),
  'members.list': async () => ({}),
  'members.invite': async (world) => ({
    body: { email: emailOf(world), roleId: world.institute.roles.front_desk, branchId: world.branchId },
  }),
  'members.update': async (world) => ({ params: { id: await newMember(world) }, body: { status: 'disabled' } }),
  'members.delete': async (world) => ({ params: { id: await newMember(world) } }),
  'members.replace-roles': async (world) => ({
    params: { id: await newMember(world) },
    body: { roles: [{ roleId: world.institute.roles.front_desk, branchId: world.branchId }] },
  }),
  'members.resend-invitation': async (world) => ({ params: { id: await newInvited(world) } }),
  'settings.read': async () => ({}),
  'institute.read': async () => ({}),
  'settings.update': async () => ({ body: { invoiceDueDays: 30 } }),
  'feature-flags.read': async () => ({}),
  'feature-flags.update': async () => ({ body: { advanced_reports: true } }),
  'audit.list': async () => ({}),
}
