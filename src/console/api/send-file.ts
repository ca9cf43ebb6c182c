import { hasFailed, Problem, problemOf } from './problem.ts'

interface Sending {
  address: string
  headers: Readonly<Record<string, string>>
  /** Hears how much of it is sent, from 0 to 1. */
  onSent?: ((share: number) => void) | undefined
}

/** Puts a file at an address. Not fetch, which does not say how much of a body is sent. @throws Problem */
export const sendFile = (file: File, { address, headers, onSent }: Sending): Promise<void> =>
  new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    request.open('PUT', address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onSent?.(loaded / file.size))
    request.addEventListener('error', () => fail(new Problem(0)))
    request.addEventListener('load', () => {
      const replyType = request.getResponseHeader('Content-Type') ?? ''
      const reply = new Response(request.responseText, {
        status: request.status,
        headers: { 'Content-Type': replyType },
      })
      if (hasFailed(reply)) void problemOf(reply).then(fail)
      else done()
    })
    request.send(file)
  })
