import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

/**
 * The requests that a server is answering. It lets a server stop without cutting them off. `server.close` alone waits
 * for connections instead, and browsers keep connections open that they do not use.
 */
export class RunningRequests {
  readonly #running = new Set<ServerResponse>()
  #isStopping = false
  #whenIdle = (): void => {}

  /** @param answer resolves when the work on the request is done, also if its client has gone */
  listener(answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>): RequestListener {
    return (request, response) => void this.#run(response, answer(request, response))
  }

  async #run(response: ServerResponse, answered: Promise<unknown>): Promise<void> {
    this.#running.add(response)
    if (this.#isStopping) announceEnd(response)
    try {
      await answered
      if (!response.closed) await new Promise((resolve) => response.once('close', resolve))
    } finally {
      this.#running.delete(response)
      if (this.#running.size === 0) this.#whenIdle()
    }
  }

  /** Takes no more connections, lets running requests end within the deadline, and then closes all connections. */
  async stop(server: Server, deadlineMillis: number): Promise<void> {
    this.#isStopping = true
    server.close()
    for (const response of this.#running) announceEnd(response)
    if (this.#running.size > 0) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, deadlineMillis)
        this.#whenIdle = () => {
          clearTimeout(late)
          resolve()
        }
      })
    }
    server.closeAllConnections()
  }
}

/** Otherwise the client could send its next request on the same connection, and the server might never come to an end. */
const announceEnd = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
