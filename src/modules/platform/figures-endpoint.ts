import { openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { FiguresQuery, PlatformMonth } from './figures-schemas.ts'
import { readFigures } from './figures.ts'

export const figuresEndpoint: Endpoint = openRead({
  id: 'platform-figures.list',
  path: '/platform/figures',
  summary: 'Read the figures of each month: institutes, students, what subscriptions bring, and who left',
  description:
    'The present month first. Months are those of UTC. Institutes, and who came and left, follow from the dates that their records keep, for any month. Of students and of money no record says how they stood in the past: they are counted every hour on a server in cloud mode, and the last count of a month is its figure. A month in which nobody counted has none (null), and so have all months before the version of the program that counts. An institute on a server of its own is counted with its subscription, not with its students. A trial brings nothing; a subscription whose payment is late counts until it ends.',
  access: 'platform',
  query: FiguresQuery,
  reply: pageOf(PlatformMonth),
  handle: readFigures,
})
