/** What went wrong, where nothing more is known. */
export const faults = {
  unreachable: 'The server cannot be reached. Check the connection and try again.',
  /** Something in front of the server answered in its place, by the status. */
  inFront: {
    408: 'What was sent took longer than the proxy in front of the server waits. Try again, where the connection is faster if you can; whoever looks after the proxy has to let it wait longer (nginx: client_body_timeout 120s).',
    413: 'The proxy in front of the server refuses what is as large as this. Whoever looks after it has to let 20 MB through (nginx: client_max_body_size 20m).',
    502: 'The proxy in front of the server answers, but the server behind it does not. Try again in a minute; if it stays so, whoever looks after the server has to see whether it runs.',
    503: 'The proxy in front of the server answers, but the server behind it does not. Try again in a minute; if it stays so, whoever looks after the server has to see whether it runs.',
    504: 'The proxy in front of the server did not wait for its answer, and the server may still be at it. Press the same button again in a minute: nothing is done twice. Whoever looks after the proxy has to let it wait longer (nginx: proxy_read_timeout 120s).',
  },
  otherPage: (status: number) =>
    `Something else answered in place of the server, with a page of its own (${status}): a proxy, a firewall, or a network in which one signs in first. Reload this page to see it; if it stays so, tell whoever looks after the server.`,
  busy: 'The server has a lot to do at the moment. Try again in a little while.',
  tooOften: 'Too many tries in a short time. Wait a minute and try again.',
  failed: 'Something went wrong on the server. Try again; if it happens again, tell whoever runs it.',
  brokenTitle: 'This page does not work',
  broken: 'This page does not work as it should. Load it again; if that does not help, tell whoever runs the server.',
  reference: (id: string) => `Reference: ${id}`,
  invalid: 'Check what is marked.',
  notFound: 'It is not there any more, or not open to you.',
}
