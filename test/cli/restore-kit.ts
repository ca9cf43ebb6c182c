import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { OWNER } from '#kit/setup.ts'
import { startProgram } from './institute.ts'

/** Other processes are started, and the program comes back. */
export const LONG = { timeout: 90_000, interval: 100 }

interface Reply {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the API answers
  body: any
}

/** An institute that runs, whose owner is signed in, and what they ask of it. */
export const startHere = async (dataDir: string, environment: Record<string, string> = {}) => {
  const server = await startProgram(dataDir, { INSTITUTE_BACKUP_KEEP: '0', ...environment })
  const call = async (address: string, { token, body }: { token?: string; body?: object } = {}): Promise<Reply> => {
    const reply = await fetch(`${server.url}/api/v1${address}`, {
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: (await reply.json()) as Reply['body'] }
  }
  const signIn = async (): Promise<string> => {
    const { email, password } = OWNER
    return (await call('/auth/login', { body: { email, password, client: 'mobile' } })).body.accessToken
  }
  let token = await signIn()
  const get = (address: string) => call(address, { token })
  const post = (address: string, body: object) => call(address, { token, body })
  const restore = (backup: string, password = OWNER.password) => post(`/server/backups/${backup}/restore`, { password })
  /** Sends the file of a backup from elsewhere. */
  const bring = async (file: Uint8Array<ArrayBuffer>): Promise<Reply> => {
    const reply = await fetch(`${server.url}/api/v1/server/backups/brought`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' },
      body: file,
    })
    return { status: reply.status, body: (await reply.json()) as Reply['body'] }
  }
  /** What a backup holds, once it was read. */
  const held = async (backup: string) => {
    const address = `/server/backups/${backup}/contents`
    await expect.poll(async () => (await get(address)).body.isReading, LONG).toBe(false)
    return (await get(address)).body
  }
  /** Until the program answers somebody who is signed in, or says that they are not. */
  const settled = async () => {
    await expect
      .poll(async () => {
        const { status, body } = await get('/server/restore').catch(() => ({ status: 0, body: {} }))
        return status === 401 ? 'signed out' : status === 200 ? body.step : 'away'
      }, LONG)
      .toMatch(/^(signed out|failed)$/)
  }
  return {
    dataDir,
    server,
    get,
    post,
    restore,
    bring,
    held,
    token: () => token,
    /** What has been left of a file that was brought. */
    left: () => (existsSync(path.join(dataDir, '.brought')) ? readdirSync(path.join(dataDir, '.brought')) : []),
    settled,
    signInAgain: async () => {
      token = await signIn()
    },
    students: async () => (await get('/students')).body.data.length,
    backups: async () => (await get('/server/backups')).body.kept,
  }
}
