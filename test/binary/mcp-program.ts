import { afterAll, beforeAll } from 'vitest'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { client, type Client } from '#kit/client.ts'
import { freePort } from '#kit/free-port.ts'
import { grantTo, type TestGrant } from '#kit/oauth.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { makeFolder, Server } from './program.ts'
import { bodyOf } from './vendor.ts'

/** The packaged program, whose owner uses assistants and let one in. */
export interface McpProgram {
  server: Server
  url: string
  owner: Client
  branchId: string
  tenantId: string
  assistant: TestGrant
}

/** Starts it in an empty folder, and sets its institute up. @param env more settings */
export const startMcpProgram = async (cwd: string, env: Record<string, string> = {}): Promise<McpProgram> => {
  // Its own addresses begin with the port, so it has to be known before the start.
  const server = await Server.start([EXECUTABLE, 'serve', '--port', String(await freePort())], { cwd, env })
  const url = server.url ?? ''
  const anybody = client(url)
  const setup = newSetup(setupTokenIn(path.join(cwd, 'data')))
  const { accessToken, activeTenantId: tenantId } = bodyOf(await anybody.post('/setup/bootstrap', setup))
  const owner = anybody.as(accessToken)
  bodyOf(await owner.patch('/feature-flags', { mcp: true }))
  const [{ id: branchId }] = bodyOf(await owner.get('/branches'))
  return { server, url, owner, branchId, tenantId, assistant: await grantTo(anybody, owner, tenantId) }
}

/** The same for all tests of a file. @returns a function, because it starts before the first of them */
export const mcpProgramOfFile = (): (() => McpProgram) => {
  const folder = makeFolder()
  let program: McpProgram
  beforeAll(async () => {
    program = await startMcpProgram(folder)
  })
  afterAll(async () => {
    await program.server.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  return () => program
}
