import { expect, test } from 'vitest'
import { linkForOthers } from '../../../src/console/parts/link-for-others.ts'

const alone = 'http://localhost:8080/invitation?token=t'
const lan = 'http://192.168.1.20:8080'

test.each([
  [
    'an address that others open too stays',
    'https://school.example/invitation?token=t',
    'http://localhost:8080',
    [],
    'https://school.example/invitation?token=t',
    false,
  ],
  [
    'one of this computer alone leads to its address in the network',
    alone,
    'http://localhost:8080',
    [lan],
    `${lan}/invitation?token=t`,
    false,
  ],
  [
    'seen from another computer, it leads to where the page was opened',
    alone,
    lan,
    [],
    `${lan}/invitation?token=t`,
    false,
  ],
  [
    'where no other address is known, that is said',
    'http://127.0.0.1:8080/invitation?token=t',
    'http://127.0.0.1:8080',
    [],
    'http://127.0.0.1:8080/invitation?token=t',
    true,
  ],
] as const)('%s', (_, link, opened, here, shown, isHereAlone) => {
  expect(linkForOthers(link, opened, here)).toEqual({ link: shown, isHereAlone })
})
