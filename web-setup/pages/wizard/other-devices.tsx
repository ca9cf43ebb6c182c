import { useEffect, useState } from 'react'
import type { Schemas } from '../../../src/console/api/schemas.ts'
import { besideApi } from '../../../src/console/api/send.ts'
import { Qr } from '../../../src/console/parts/qr.tsx'
import { useOwnWords } from '../../parts/own-words.ts'

/** Where phones and other computers open the institute; nothing where the server does not know. */
export const OtherDevices = () => {
  const { done: words } = useOwnWords('wizardSteps')
  const [way, setWay] = useState<Schemas['ServerWay']>()
  useEffect(() => {
    besideApi<Schemas['ServerAddress']>('/api/v1/server/address', { isUser: true }).then(
      ({ ways }) => setWay(ways[0]),
      () => {},
    )
  }, [])
  return (
    way && (
      <section className="card padded" id="next-others" aria-labelledby="others-title">
        <h3 id="others-title">{words.others}</h3>
        <p>{words.othersHow(way.isLocal)}</p>
        <p>
          <bdi className="ltr name">{way.url.replace(/^http:\/\//, '')}</bdi>
        </p>
        <Qr text={way.url} label={words.othersCode(way.url)} />
        <p className="small">{words.othersPoster}</p>
      </section>
    )
  )
}
