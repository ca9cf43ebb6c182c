import { expect, test } from 'vitest'
import { LEAST_GLIBC, explainLoadFailure } from '#app/data-dir/native.ts'

test('an addon that does not load is explained by an old system if that is the cause, and else by the folder', () => {
  const old =
    "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.33' not found (required by /srv/data/.native/1a/better-sqlite3.node)"
  expect(explainLoadFailure('/srv/data/.native', old)).toBe(
    `This Linux is too old: Institute needs glibc ${LEAST_GLIBC} or newer, as in Debian 12 and Ubuntu 22.04.`,
  )
  expect(explainLoadFailure('/srv/data/.native', 'failed to map')).toBe(
    '/srv/data/.native must be a folder that this user owns and may load programs from, so on no disk that is mounted noexec: failed to map',
  )
})
