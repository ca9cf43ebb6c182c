import * as v from 'valibot'
import { Refused, ask, type Ask } from './request.ts'
import { readSession, removeSession, withSessionLock, writeSession, type Session } from './session.ts'

const Tokens = v.object({ accessToken: v.string(), refreshToken: v.string() })

const UNAUTHORIZED = 401

const withTokens = (session: Pick<Session, 'server' | 'email'>, reply: unknown): Session => {
  const tokens = v.safeParse(Tokens, reply)
  if (!tokens.success) throw new Error(`What answers at ${session.server} is no institute server.`)
  return { ...session, ...tokens.output }
}

/** @throws Refused, with how to go on when the session has ended */
const refreshed = async (session: Session): Promise<Session> => {
  try {
    const { server, refreshToken } = session
    const reply = await ask(server, { method: 'POST', path: '/auth/refresh', body: { refreshToken } })
    return withTokens(session, reply)
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== UNAUTHORIZED) throw error
    throw new Refused(error.status, `${error.message} Sign in again: institute vendor login.`)
  }
}

/** Renews the session whose access token the server refused, unless another command has done so already. */
const renewed = (refused: Session): Promise<Session> =>
  withSessionLock(async () => {
    const present = readSession()
    if (present.accessToken !== refused.accessToken) return present
    const session = await refreshed(present)
    writeSession(session)
    return session
  })

/**
 * Asks the server at which the operator is signed in; renews an access token that has ended.
 * @throws Refused, or an Error that says why there is no answer
 */
export const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const session = readSession()
  const request: Ask = { method, path, body }
  try {
    return await ask(session.server, { ...request, accessToken: session.accessToken })
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== UNAUTHORIZED) throw error
    const { server, accessToken } = await renewed(session)
    return ask(server, { ...request, accessToken })
  }
}

/** All records of a list, page by page. @param path with its filters */
export const callAll = async <T>(
  path: string,
  filters: Readonly<Record<string, string | undefined>> = {},
): Promise<T[]> => {
  const found: T[] = []
  const query = new URLSearchParams({ limit: '100' })
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value)
  for (;;) {
    const page = (await call('GET', `${path}?${query.toString()}`)) as { data: T[]; nextCursor: string | null }
    found.push(...page.data)
    if (page.nextCursor === null) return found
    query.set('cursor', page.nextCursor)
  }
}

/** Ends the session on the server and forgets it here, here also where the server is away. @throws Refused, or an Error */
export const signOut = async (): Promise<void> => {
  readSession()
  try {
    await call('POST', '/auth/logout')
  } finally {
    await withSessionLock(async () => removeSession())
  }
}

interface Known {
  server: string
  email: string
  password: string
  /** Asks for a code of the second factor, where the account has one. */
  askCode(): Promise<string>
}

const newSession = async ({ server, email, password, askCode }: Known): Promise<unknown> => {
  const post = (path: string, body: unknown) => ask(server, { method: 'POST', path, body })
  try {
    return await post('/auth/login', { email, password, client: 'mobile' })
  } catch (error) {
    if (!(error instanceof Refused) || error.ticket === undefined) throw error
    return post('/auth/login/second-factor', { ticket: error.ticket, code: await askCode() })
  }
}

/** Signs a platform admin in. Whoever was signed in before is signed out. @throws Refused, or an Error */
export const signIn = async (known: Known): Promise<void> => {
  const { server, email } = known
  const session = withTokens({ server, email }, await newSession(known))
  const { accessToken } = session
  try {
    // Somebody who is no platform admin learns it now, and not from the first command.
    await ask(server, { method: 'GET', path: '/platform/queues', accessToken })
  } catch (error) {
    await ask(server, { method: 'POST', path: '/auth/logout', accessToken })
    throw error
  }
  // An earlier session may have ended, or its server may be gone: neither is in the way of the new one.
  await signOut().catch(() => {})
  await withSessionLock(async () => writeSession(session))
}
