import { codeAt, stepAt } from '#modules/identity/second-factor/totp.ts'
import type { Examples, World } from '#kit/examples.ts'
import { addPasskey, assertion, firstStep, newPasskey, setUpCodes } from '#kit/second-factor.ts'
import { emailOf, mailedToken, PASSWORD } from '#kit/sign-in.ts'

/** A user whose session and password no other example needs. */
const somebody = ({ institute }: World) => institute.member({ role: 'student' })

const signedIn = async (world: World) => {
  const { userId } = await somebody(world)
  const { body } = await world.app.post('/auth/login', { email: emailOf(userId), password: PASSWORD, client: 'mobile' })
  return body as { accessToken: string; refreshToken: string }
}

const newcomer = ({ serial }: World) => ({
  email: `newcomer-${serial}-${Math.random()}@example.org`,
  password: 'a long enough phrase',
  fullName: 'Noa Levi',
})

const OF_NO_BRANCH = 'The account of a member belongs to no branch.'

export const identityExamples: Examples = {
  'auth.login': async (world) => ({ body: { email: emailOf((await somebody(world)).userId), password: PASSWORD } }),
  'auth.refresh': async (world) => ({ body: { refreshToken: (await signedIn(world)).refreshToken } }),
  'auth.logout': async (world) => ({ as: await somebody(world) }),
  'auth.logout-all': async (world) => ({ as: await somebody(world) }),
  'auth.me': async () => ({}),
  'auth.select-tenant': async (world) => ({
    as: await somebody(world),
    body: { tenantId: world.institute.tenant.id },
  }),
  'auth.list-sessions': async () => ({}),
  'auth.end-session': async (world) => {
    const user = await somebody(world)
    return { as: user, params: { id: user.sessionId } }
  },
  'auth.change-password': async (world) => ({
    as: await somebody(world),
    body: { currentPassword: PASSWORD, newPassword: 'another phrase' },
  }),
  'auth.forgot-password': async () => ({ body: { email: 'somebody@example.org' } }),
  'auth.reset-password': async (world) => {
    const email = emailOf((await somebody(world)).userId)
    await world.app.post('/auth/forgot-password', { email })
    await world.app.drain()
    return { body: { token: mailedToken(world.app, email, 'reset-password'), newPassword: 'another phrase' } }
  },
  'auth.link': async (world) => {
    const email = emailOf((await somebody(world)).userId)
    await world.app.post('/auth/forgot-password', { email })
    await world.app.drain()
    const token = mailedToken(world.app, email, 'reset-password')
    return { params: { page: 'reset-password' }, headers: { 'x-link-token': token } }
  },
  'auth.register': async (world) => ({ body: newcomer(world) }),
  'auth.verify-email': async (world) => {
    const body = newcomer(world)
    await world.app.post('/auth/register', body)
    await world.app.drain()
    return { body: { token: mailedToken(world.app, body.email, 'verify-email') } }
  },
  'auth.resend-verification': async () => ({ body: { email: 'somebody@example.org' } }),
  'invitations.accept': async (world) => {
    const { email, password, fullName } = newcomer(world)
    await world.owner.post('/members', { email, roleId: world.institute.roles.teacher })
    await world.app.drain()
    return { body: { token: mailedToken(world.app, email, 'invitation'), password, fullName } }
  },
  'auth.second-factor': async (world) => {
    const user = await somebody(world)
    const { code } = await setUpCodes(world.app, user)
    return { body: { ticket: await firstStep(world.app, emailOf(user.userId)), code: code() } }
  },
  'auth.begin-passkey': async () => ({}),
  'auth.passkey': async (world) => ({
    body: await assertion(world.app, await addPasskey(await somebody(world))),
  }),
  'me.second-factor': async () => ({}),
  'me.begin-second-factor': async (world) => ({ as: await somebody(world), body: { password: PASSWORD } }),
  'me.confirm-second-factor': async (world) => {
    const user = await somebody(world)
    const { appSecret } = (await user.post('/me/second-factor', { password: PASSWORD })).body
    return { as: user, body: { code: codeAt(appSecret, stepAt(world.app.clock.now())) } }
  },
  'me.make-recovery-codes': async (world) => {
    const user = await somebody(world)
    await setUpCodes(world.app, user)
    return { as: user, body: { password: PASSWORD } }
  },
  'me.remove-second-factor': async (world) => {
    const user = await somebody(world)
    await setUpCodes(world.app, user)
    return { as: user, body: { password: PASSWORD } }
  },
  'me.list-passkeys': async (world) => {
    const user = await somebody(world)
    await addPasskey(user)
    return { as: user }
  },
  'me.begin-passkey': async (world) => ({ as: await somebody(world), body: { password: PASSWORD } }),
  'me.add-passkey': async (world) => {
    const user = await somebody(world)
    return { as: user, body: (await newPasskey(user)).body }
  },
  'me.rename-passkey': async (world) => {
    const user = await somebody(world)
    return { as: user, params: { id: (await addPasskey(user)).id }, body: { name: 'Laptop' } }
  },
  'me.remove-passkey': async (world) => {
    const user = await somebody(world)
    return { as: user, params: { id: (await addPasskey(user)).id } }
  },
  'members.reset-second-factor': {
    branchless: OF_NO_BRANCH,
    make: async (world) => {
      const user = await somebody(world)
      await addPasskey(user)
      return { params: { id: user.membershipId } }
    },
  },
  'members.list-sessions': {
    branchless: OF_NO_BRANCH,
    make: async (world) => ({ query: `?membershipId=${(await somebody(world)).membershipId}` }),
  },
  'members.end-session': {
    branchless: OF_NO_BRANCH,
    make: async (world) => {
      const user = await somebody(world)
      return { params: { id: user.membershipId, sessionId: user.sessionId } }
    },
  },
  'members.end-sessions': {
    branchless: OF_NO_BRANCH,
    make: async (world) => ({ params: { id: (await somebody(world)).membershipId } }),
  },
  'roles.preview': {
    branchless: OF_NO_BRANCH,
    make: async ({ institute }) => ({
      params: { id: institute.roles.front_desk },
      body: { branchId: institute.branchId },
    }),
  },
  'roles.end-preview': {
    branchless: OF_NO_BRANCH,
    make: async ({ app, institute, owner }) => {
      const id = institute.roles.front_desk
      const { body } = await owner.post(`/roles/${id}/preview`, {})
      return { as: app.as(body.accessToken), params: { id } }
    },
  },
  'me.read': async () => ({}),
  'me.update': async () => ({ body: { fullName: 'Noa Levi' } }),
}
