/** The words of the server's own pages. */
export const en = {
  refused: {
    nothing: {
      title: 'There is no page at this address',
      text: 'Check the address. If you followed a link, ask whoever sent it for a new one.',
      wayHome: 'Go to the start page',
    },
    private: {
      title: 'You may not see this page',
      text: 'It is for programs that have a token for it. Ask whoever runs the server.',
      wayHome: 'Go to the start page',
    },
    ended: {
      title: 'This link does not work any more',
      text: 'Links to files work for a few minutes only. Go back to where you found it and open it again.',
      wayHome: 'Go to the start page',
    },
    failed: {
      title: 'Something went wrong',
      text: 'The server cannot show this at the moment. Wait a little and try again.',
    },
    incomplete: {
      title: 'This link is not complete',
      text: 'Open it from the mail once more. If that does not help, answer the mail and ask the institute to stop writing to you.',
    },
    closed: {
      title: 'This institute is closed',
      text: 'It sends no more messages. There is nothing to do.',
    },
  },
  away: {
    title: 'Back in a moment',
    text: 'A backup is being put back on this server. This page looks again by itself every few seconds.',
  },
  /** HTML: for browsers that run no script, for old ones, and for a page of which a part is missing. */
  trouble: {
    noScript: 'This page needs JavaScript. Please turn it on in the browser and reload the page.',
    old: 'This browser is too old for this page. Please update it, or open the page in a current Chrome, Edge, Firefox or Safari. The last of them for Windows 7 is new enough too.',
    incomplete:
      'This page did not load completely. Please reload it. If that does not help, try again in a few minutes.',
    reload: 'Reload',
  },
}

export type PageWords = typeof en

/** What is refused to somebody who looks at a page. */
export type Refused = keyof PageWords['refused']
