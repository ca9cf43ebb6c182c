import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '#db/database.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { makeFolder, run, Server } from './program.ts'

const serve = async (cwd: string): Promise<Server> => {
  const server = await Server.start([EXECUTABLE, 'serve', '--port', '0'], { cwd })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  return server
}

test('the executable makes up a missed night by itself, and restores what it made', async () => {
  const cwd = makeFolder()
  const data = path.join(cwd, 'data')
  const first = await serve(cwd)
  const { status } = await fetch(`${first.url}/api/v1/setup/bootstrap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(newSetup(setupTokenIn(data))),
  })
  expect([status, await first.stop()]).toEqual([201, 0])
  const database = openSqlite(path.join(data, 'institute.db'))
  database.sqlite?.exec(`update installation set created_at = '2026-01-01T00:00:00.000Z'`)
  await database.close()

  await serve(cwd)
  const made = () => readdirSync(data).flatMap((name) => (name === 'backups' ? readdirSync(path.join(data, name)) : []))
  await expect
    .poll(made, { timeout: 30_000 })
    .toEqual(['.nightly.json', expect.stringMatching(/^nightly-.*\.tar\.gz$/)])
  const file = path.join(data, 'backups', made().at(-1) ?? '')
  const restored = await run([EXECUTABLE, 'restore', file, '--data-dir', path.join(cwd, 'restored')], { cwd })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored the institute as it was at /) })
})
