/** How the service worker asks an open page to show what a message is about. The page answers by the port, with true or false. */
export interface PlaceMessage {
  name: typeof PLACE_MESSAGE
  path: string
  /** A page that slept finds the question later: the worker has gone on without it. */
  until: number
}

export const PLACE_MESSAGE = 'institute.place'

/** How long the worker waits for a page. */
export const TAKEN_MILLIS = 400
