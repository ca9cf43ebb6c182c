/** What a request is answered with. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

export interface PageRequest {
  params: Record<string, string>
  query: URLSearchParams
  header(name: string): string | undefined
  /** Address of the peer that is connected, whoever it says to speak for. */
  peer: string
  httpVersion: string
}

/** One address at the server's root, GET and HEAD only: a page, a script, a document, no JSON of the API. */
export interface PageRoute {
  /** As the router writes it: `/setup/assets/*path`. */
  path: string
  reply(request: PageRequest): Promise<Reply>
}
