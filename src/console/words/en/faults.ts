/** What went wrong, where nothing more is known. */
export const faults = {
  unreachable: 'The server cannot be reached. Check the connection and try again.',
  busy: 'The server has a lot to do at the moment. Try again in a little while.',
  failed: 'Something went wrong on the server. Try again; if it happens again, tell whoever runs it.',
  brokenTitle: 'This page does not work',
  broken: 'This page does not work as it should. Load it again; if that does not help, tell whoever runs the server.',
  reference: (id: string) => `Reference: ${id}`,
  invalid: 'Check what is marked.',
  notFound: 'It is not there any more, or not open to you.',
}
