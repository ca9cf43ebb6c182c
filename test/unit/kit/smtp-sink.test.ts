import { createTransport } from 'nodemailer'
import { afterEach, expect, test } from 'vitest'
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions } from '#kit/smtp-sink.ts'

let sink: SmtpSink
afterEach(() => sink.stop())

const open = async (options?: SmtpSinkOptions): Promise<void> => {
  sink = await startSmtpSink(options)
}

const send = (subject: string, url = sink.url) =>
  createTransport(url).sendMail({ from: 'a@example.org', to: 'b@example.org', subject, text: 'שלום' })

test('a sink keeps what it gets, parsed, in the order of arrival', async () => {
  await open()
  expect(await sink.messages()).toEqual([])
  await send('first')
  await send('second')
  const messages = await sink.messages()
  expect(messages.map(({ subject }) => subject)).toEqual(['first', 'second'])
  expect(messages[0]).toMatchObject({ text: 'שלום', envelope: { from: 'a@example.org', to: ['b@example.org'] } })
})

test.each([421, 550] as const)('a sink refuses mail with %i for as long as it is told to', async (code) => {
  await open()
  sink.refuse(code)
  await expect(send('refused')).rejects.toMatchObject({ responseCode: code })
  sink.refuse(null)
  await send('taken')
  expect((await sink.messages()).map(({ subject }) => subject)).toEqual(['taken'])
})

test('a sink with an account takes mail from it alone', async () => {
  await open({ account: { user: 'user@example.org', password: 'p@ss:/#' } })
  await expect(send('wrong', sink.url.replace(/:[^:@]*@/, ':wrong@'))).rejects.toMatchObject({ responseCode: 535 })
  await send('right')
  expect(await sink.messages()).toHaveLength(1)
})
