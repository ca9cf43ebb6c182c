import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { found } from '#kernel/values/errors.ts'
import { Ok, ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import type { Identity } from '../deps.ts'
import { lockLiveSession, listLoginSessions, revokeSession, revokeSessions, Session } from '../sessions.ts'
import { clearRefreshCookie, logOf, sessionOf } from '../sign-in.ts'

export const loginSessionEndpoints = ({ tokens }: Identity): readonly Endpoint[] => [
  openChange({
    id: 'auth.logout',
    method: 'POST',
    path: '/auth/logout',
    summary: 'End the current session',
    access: 'user',
    beforeSecondFactor: true,
    impersonatedToo: true,
    reply: Ok,
    handle: async ({ tx, caller, request }) => {
      const { userId, sessionId, tenantId } = sessionOf(caller)
      await revokeSession(tx, userId, sessionId)
      clearRefreshCookie(request, tokens, sessionId)
      const log = await logOf(tx, tenantId)
      log.audit({ entityType: 'session', entityId: sessionId })
      return ok
    },
  }),
  openChange({
    id: 'auth.logout-all',
    method: 'POST',
    path: '/auth/logout-all',
    summary: 'End every session of the user, this one included',
    description:
      'With them end the assistants that act for the user, the browsers that get their messages, and the addresses of their calendars, in all their institutes. A link to a new password that was mailed stays good.',
    access: 'user',
    beforeSecondFactor: true,
    reply: Ok,
    handle: async ({ tx, caller, request }) => {
      const { userId, sessionId, tenantId } = sessionOf(caller)
      const ended = await revokeSessions(tx, userId)
      clearRefreshCookie(request, tokens, sessionId)
      const log = await logOf(tx, tenantId)
      log.audit({ entityType: 'user', entityId: userId, metadata: { endedSessions: ended } })
      return ok
    },
  }),
  openRead({
    id: 'auth.list-sessions',
    path: '/auth/sessions',
    summary: 'List where the user is signed in',
    description:
      'Sessions that can still be used, newest first. `ip`, `userAgent` and `lastUsedAt` are of the sign-in or the last refresh.',
    access: 'user',
    query: pageQuery({}),
    reply: pageOf(Session),
    handle: (context) => listLoginSessions(context, sessionOf(context.caller)),
  }),
  openChange({
    id: 'auth.end-session',
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    summary: 'End one session of the user',
    description: 'Also the current one. A session that has ended is 404.',
    access: 'user',
    reply: Ok,
    handle: async ({ tx, caller, params, request }) => {
      const { userId, tenantId } = sessionOf(caller)
      const session = found(await lockLiveSession(tx, userId, params.id))
      await revokeSession(tx, userId, session.id)
      clearRefreshCookie(request, tokens, session.id)
      const log = await logOf(tx, tenantId)
      log.audit({
        entityType: 'session',
        entityId: session.id,
        before: { id: session.id, client: session.client, ip: session.ip, userAgent: session.user_agent },
      })
      return ok
    },
  }),
]
