import type { Schemas } from '../../api/client.ts'
import { FixedFacts } from '../../parts/facts.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** The licence of an own server: how it stands, when the vendor was heard, and what their silence means. */
export const License = ({ license }: { license: Schemas['LicenseStatus'] }) => {
  const { plan: words, server } = useWords()
  const format = useFormat()
  const { state, licenseId, plan, lastHeartbeatAt, nextHeartbeatAt, graceEndsAt, expiresAt } = license
  const day = (moment: string) => format.longDate(format.dateOf(moment))
  return (
    <div className="card padded">
      <p>
        {server.licenses[state]}
        {plan !== null && <> {server.plan(plan)}</>}
      </p>
      {licenseId !== null && (
        <>
          <FixedFacts
            look="inset"
            rows={[
              [words.heard, lastHeartbeatAt === null ? words.heardNever : format.moment(lastHeartbeatAt)],
              [words.next, nextHeartbeatAt && format.moment(nextHeartbeatAt)],
              [words.alone, graceEndsAt && day(graceEndsAt)],
              [words.ends, expiresAt === null ? words.endless : day(expiresAt)],
            ]}
          />
          <p className="small below">{words.aloneText}</p>
        </>
      )}
      <p className="below">
        <a className="button" href="/license">
          {server.toLicense}
        </a>
      </p>
    </div>
  )
}
