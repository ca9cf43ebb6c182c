import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

/**
 * Counts the requests that a server is answering, so that it can stop without cutting them off. `server.close` waits
 * for connections instead, and browsers keep connections open that they do not use.
 */
export class RunningRequests {
  // A set of the requests would cost a tenth of the processor time of a small one.
  #count = 0
  #isStopping = false
  #whenIdle = (): void => {}

  /**
   * Whether the server is stopping. Replies must then end their connection: otherwise its client could go on sending
   * requests.
   */
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** @param answer resolves when the work on the request is done, also if its client has gone */
  listener(answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>): RequestListener {
    return (request, response) => {
      this.#count += 1
      const answered = (): void => {
        // Nearly always, the operating system has the whole reply by now.
        if (response.writableFinished || response.closed) this.#ended()
        else response.once('close', () => this.#ended())
      }
      answer(request, response).then(answered, answered)
    }
  }

  #ended(): void {
    this.#count -= 1
    if (this.#count === 0) this.#whenIdle()
  }

  /** Takes no more connections, lets running requests end within the deadline, and then closes all connections. */
  async stop(servers: ReadonlySet<Server>, deadlineMillis: number): Promise<void> {
    this.#isStopping = true
    for (const server of servers) server.close()
    if (this.#count > 0) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, deadlineMillis)
        this.#whenIdle = () => {
          clearTimeout(late)
          resolve()
        }
      })
    }
    for (const server of servers) server.closeAllConnections()
  }
}
