import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command } from './command.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { isDirect, png, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startAppWithBucket, startS3rver, urlOf, type TestStore } from '#kit/s3.ts'

let store: TestStore
let app: TestApp
let school: TestInstitute
let other: TestInstitute
beforeAll(async () => {
  store = await startS3rver()
  app = await startAppWithBucket(store, { mode: 'cloud' })
  school = await makeInstitute(app)
  other = await makeInstitute(app)
})
afterAll(async () => {
  await app.close()
  await store.close()
})

const move = (args: readonly string[], env: Record<string, string> = { INSTITUTE_S3_URL: store.url }) =>
  command(['files', 'move', ...args, '--data-dir', app.dataDir], env)

const inBucket = async ({ owner }: TestInstitute, id: string): Promise<boolean> =>
  isDirect((await owner.get(`/files/${id}`)).body.downloadUrl)

const LEAVE =
  'Leave INSTITUTE_S3_URL as it is for a day: addresses that were given out before lead to the bucket.\n' +
  'Then run this again, for what came late, before you remove it.\n'

describe('institute files move', () => {
  test('moves those of one institute or of all, beside the running program, and says what it did', async () => {
    const { id } = (await uploaded(app, school.owner, { bytes: png('of the school') })).body
    const { id: others } = (await uploaded(app, other.owner, { bytes: png('of the other') })).body
    const { slug } = school.tenant
    expect(await move(['--to', 'disk', '--tenant', slug])).toEqual({
      code: 0,
      stdout: `${slug}: 1 moved, 1 MB; new files go there too: on the disk\n`,
      stderr: `100 %\n${LEAVE}`,
    })
    expect([await inBucket(school, id), await inBucket(other, others)]).toEqual([false, true])
    const lines = [school, other].map(({ tenant }) => tenant.slug).toSorted()
    const ended = await move(['--to', 's3'])
    expect(ended).toMatchObject({ code: 0, stderr: '100 %\n' })
    expect(ended.stdout.split('\n')).toEqual([
      ...lines.map(
        (name) =>
          `${name}: ${name === slug ? '1 moved, 1 MB' : 'all files were there already'}; new files go there too: in the bucket`,
      ),
      '',
    ])
    expect([await inBucket(school, id), await inBucket(other, others)]).toEqual([true, true])
  })

  test('says what is wrong, and what to do', async () => {
    expect(await move(['--to', 's3'], {})).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The settings name no bucket: set INSTITUTE_S3_URL.\n',
    })
    expect(await move(['--to', 'tape'])).toMatchObject({ code: 2, stderr: 'A place is one of disk, s3, not tape.\n' })
    expect(await move(['--to', 'disk', '--tenant', 'nobody'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no institute with the slug "nobody"\./),
    })
    const empty = await startApp()
    expect(await command(['files', 'move', '--to', 'disk', '--data-dir', empty.dataDir])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no institute yet.\n',
    })
    await empty.close()
    const gone = urlOf({ ...store.settings, bucket: 'not-there' })
    expect(await move(['--to', 's3'], { INSTITUTE_S3_URL: gone })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The bucket does not work: there is no bucket not-there[^\n]*\n$/),
    })
    // In the bucket, whose settings are gone.
    await uploaded(app, school.owner, { bytes: png('left behind') })
    expect(await move(['--to', 'disk'], {})).toMatchObject({
      code: 1,
      stderr:
        'The storage does not give or take the files now: the file is in a bucket, and INSTITUTE_S3_URL is not set. What was moved stays moved; run this again to go on.\n',
    })
  })
})
