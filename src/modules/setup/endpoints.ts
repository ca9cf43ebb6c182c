import { openChange, openRead } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { newId } from '#kernel/basics/ids.ts'
import { checkNewPassword } from '#kernel/who/new-password.ts'
import {
  COOKIE_HEADER,
  prepareSession,
  SESSION,
  SignedIn,
  signIn,
  type SessionLifetime,
  type SessionTokens,
} from '#modules/identity/index.ts'
import { orTooBusy, type Passwords } from '#ports/passwords/port.ts'
import { bootstrap, WrongSetupToken } from './bootstrap.ts'
import { checkEndpoint } from './check.ts'
import { isSetUp } from './installation.ts'
import { setupMailEndpoints, type SetupMailDeps } from './mail.ts'
import { nextStepsEndpoint, type NextStepsDeps } from './next-steps.ts'
import { setupRestoreEndpoints, type SetupRestoreDeps } from './restore.ts'
import { Bootstrap, SetupStatus } from './schemas.ts'

export interface SetupDeps extends SetupMailDeps, SetupRestoreDeps, NextStepsDeps {
  tokens: SessionTokens
  passwords: Passwords
  sessionLifetime: SessionLifetime
}

export const setupEndpoints = ({ tokens, passwords, sessionLifetime, ...deps }: SetupDeps) => [
  openRead({
    id: 'setup.status',
    path: '/setup/status',
    summary: 'Whether this server still waits for its institute',
    access: 'anyone',
    reply: SetupStatus,
    handle: async ({ db }) => ({
      deploymentMode: deps.deploymentMode,
      needsSetup: deps.deploymentMode === 'self_hosted' && !(await isSetUp(db)),
    }),
  }),
  checkEndpoint(deps),
  ...setupMailEndpoints(deps),
  ...setupRestoreEndpoints(deps),
  openChange({
    id: 'setup.bootstrap',
    method: 'POST',
    path: '/setup/bootstrap',
    summary: 'Set the institute up and sign its owner in',
    description:
      'Takes `institute.baseUrl` too: the address by which staff reach this server, with which links in mails begin. Names are one line, without the address of a page (`http:`, `://`, `www.`: 422). The refresh token travels in a cookie, as for the client `web`.',
    access: 'anyone',
    body: Bootstrap,
    status: 201,
    reply: SignedIn,
    replyHeaders: COOKIE_HEADER,
    credential: SESSION,
    fails: [NotFound, WrongSetupToken],
    prepare: async ({ body, request, db }) => {
      if (deps.deploymentMode === 'cloud' || (await isSetUp(db))) throw NotFound()
      if (!deps.setupToken.matches(body.setupToken)) throw WrongSetupToken()
      const { institute, owner } = body
      const own = [owner.email, owner.firstName, owner.lastName, institute.name, institute.slug]
      await checkNewPassword(owner.password, own, ['owner', 'password'])
      const tenantId = newId()
      return {
        tenantId,
        passwordHash: await passwords.hash(body.owner.password, { key: 'setup', known: true }).catch(orTooBusy),
        ready: await prepareSession(tokens, request, { userId: newId(), tenantId, client: 'web' }),
      }
    },
    handle: async ({ tx, body, request, prepared }) => {
      const { tenantId, passwordHash, ready } = prepared
      await bootstrap(tx, { body, passwordHash, tenantId, userId: ready.session.userId })
      return signIn(tx, request, ready, sessionLifetime)
    },
  }),
  nextStepsEndpoint(deps),
]
