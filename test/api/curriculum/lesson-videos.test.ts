import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newLesson } from '../examples/curriculum.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

describe('the video of a lesson', () => {
  const put = (lessonId: string, url: unknown) => owner.put(`/lessons/${lessonId}/video`, { url })

  test('is set by its link, replaced and taken off', async () => {
    const lessonId = await newLesson(institute)
    const youtube = {
      provider: 'youtube',
      videoId: 'dQw4w9WgXcQ',
      url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      embedUrl: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    }
    const first = await put(lessonId, ' https://youtu.be/dQw4w9WgXcQ?t=42 ')
    expect(first).toMatchObject({ status: 200, body: { video: youtube, version: 2 } })
    // The same video by another link is no change.
    expect((await put(lessonId, 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1')).body).toEqual(first.body)
    expect((await put(lessonId, 'https://vimeo.com/76979871/8272103f6e')).body).toMatchObject({
      video: {
        provider: 'vimeo',
        videoId: '76979871',
        url: 'https://vimeo.com/76979871/8272103f6e',
        embedUrl: 'https://player.vimeo.com/video/76979871?h=8272103f6e',
      },
      version: 3,
    })
    expect(await owner.delete(`/lessons/${lessonId}/video`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await owner.get(`/lessons/${lessonId}`)).body).toMatchObject({ video: null, version: 4 })
    expect((await owner.delete(`/lessons/${lessonId}/video`)).status).toBe(200)
  })

  test.each([
    ['https://videos.example/watch?v=dQw4w9WgXcQ', 'VIDEO_URL_INVALID', 'unknown_host'],
    ['https://www.youtube.com/playlist?list=PL1', 'VIDEO_URL_INVALID', 'playlist_not_supported'],
    ['https://vimeo.com/76979871/password', 'VIDEO_URL_INVALID', 'password_protected'],
    ['javascript:alert(1)', 'VIDEO_URL_INVALID', 'malformed'],
    ['https://dai.ly/x8abc', 'VIDEO_PROVIDER_UNSUPPORTED', 'provider_not_enabled'],
    ['https://www.facebook.com/watch?v=1', 'VIDEO_PROVIDER_UNSUPPORTED', 'provider_not_enabled'],
    ['https://drive.google.com/file/d/abc/view', 'VIDEO_PROVIDER_UNSUPPORTED', 'provider_not_enabled'],
    ['https://www.terabox.com/s/1AbCd_eF-123', 'VIDEO_PROVIDER_UNSUPPORTED', 'terabox_not_enabled'],
  ])('%s is 422 %s, %s', async (url, code, reason) => {
    const lessonId = await newLesson(institute)
    const { status, body } = await put(lessonId, url)
    expect([status, body.error.code, body.error.details.reason]).toEqual([422, code, reason])
    expect((await owner.get(`/lessons/${lessonId}`)).body.video).toBeNull()
  })

  test('is on TeraBox while the institute allows it', async () => {
    const lessonId = await newLesson(institute)
    const url = 'https://www.terabox.com/s/1AbCd_eF-123'
    await owner.patch('/settings', { curriculum: { allowTerabox: true } })
    expect((await put(lessonId, url)).body.video).toMatchObject({ provider: 'terabox', url })
    await owner.patch('/settings', { curriculum: { allowTerabox: false } })
    expect((await put(lessonId, url)).body.error.details.reason).toBe('terabox_not_enabled')
  })

  test.each([[`https://youtu.be/${'x'.repeat(2000)}`], [''], [null], [['https://youtu.be/dQw4w9WgXcQ']]])(
    'anything but a short text is 422 (%#)',
    async (url) => {
      const { status, body } = await put(await newLesson(institute), url)
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    },
  )
})
