import { onTestFinished, describe, expect, test } from 'vitest'
import { requiredScenarios, runSuite, surprises } from '#kit/conformance.ts'
import { startCredentialProxy } from '#kit/credential-proxy.ts'
import { freePort } from '#kit/free-port.ts'
import { REVISIONS } from '#kit/mcp.ts'
import { register } from '#kit/oauth.ts'
import { EXPECTED_FAILURES } from './conformance-baseline.ts'
import { mcpProgramOfFile } from './mcp-program.ts'

const program = mcpProgramOfFile()

describe.each(REVISIONS)('the conformance suite of MCP, on the packaged program in the revision of %s', (revision) => {
  test('finds nothing but what the baseline names, and all of that', async () => {
    const { url, assistant } = program()
    const proxy = await startCredentialProxy(url, assistant.accessToken)
    onTestFinished(() => proxy.close())
    const verdicts = await runSuite(['server', '--url', `${proxy.url}/mcp`, '--requirements', revision])
    const scenarios = new Set([...verdicts.keys()].map((check) => check.split(':')[0]))
    expect(requiredScenarios(revision).filter((name) => !scenarios.has(name))).toEqual([])
    expect(surprises(verdicts, EXPECTED_FAILURES[revision])).toEqual([])
  })

  test('finds nothing wrong with the authorization server', async () => {
    const { url, owner, tenantId } = program()
    const port = await freePort()
    const { body: registered } = await register(owner.as(null), {
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
    })
    /** Does what a member does in the browser. */
    const allow = async (asked: URL): Promise<void> => {
      const query = Object.fromEntries(asked.searchParams)
      const { body } = await owner.post('/oauth/consent', {
        approve: true,
        clientId: query['client_id'],
        redirectUri: query['redirect_uri'],
        codeChallenge: query['code_challenge'],
        codeChallengeMethod: query['code_challenge_method'],
        state: query['state'],
        resource: query['resource'],
        tenantId,
      })
      await fetch(body.redirectTo)
    }
    let allowed: Promise<void> | undefined
    const suite = ['authorization', '--url', url, '--client-id', registered.client_id, '--resource', `${url}/mcp`]
    const verdicts = await runSuite([...suite, '--port', String(port), '--spec-version', revision], (output) => {
      const [address] = /http:\S+\/oauth\/authorize\?\S+/.exec(output) ?? []
      if (address !== undefined) allowed ??= allow(new URL(address))
    })
    await allowed
    expect([...verdicts.keys()]).toContain('authorization-server-authorization-code-grant:authorization-code-grant')
    expect(surprises(verdicts, [])).toEqual([])
  })
})
