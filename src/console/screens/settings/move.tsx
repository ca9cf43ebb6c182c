import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { readLicense, useHttps, useUpdates } from './reads.ts'

/** How everything moves to another machine: five steps, with what is true of this one. */
export const Screen = () => {
  const { restores, backups } = useWords()
  const words = restores.move
  return (
    <>
      <Back to="/settings/backups" label={backups.title} />
      <Page title={words.title} about={words.about}>
        <ol className="narrow steps">
          <Step title={words.backup}>
            <p>{words.backupText}</p>
            <p>
              <Link className="button" href="/settings/backups">
                {words.toBackups}
              </Link>
            </p>
          </Step>
          <Step title={words.install}>
            <Install />
          </Step>
          <Step title={words.bring}>
            <p>{words.bringText}</p>
          </Step>
          <Step title={words.address}>
            <Address />
            <HttpsThere />
          </Step>
          <Step title={words.stop}>
            <p>{words.stopText}</p>
            <Licence />
            <p className="soft">{words.mail}</p>
          </Step>
        </ol>
      </Page>
    </>
  )
}

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <li className="card padded">
    <h2>{title}</h2>
    {children}
  </li>
)

/** A backup of this version is read by no older one. */
const Install = () => {
  const {
    restores: { move: words },
  } = useWords()
  return <Loaded query={useUpdates()}>{({ version }) => <p>{words.installText(version)}</p>}</Loaded>
}

/** Whether it is the address of a machine of the network, and no name that somebody looks after. */
const isOfMachine = (url: string): boolean => /^\[|^[\d.]+$|^localhost$|\.local$/.test(new URL(url).hostname)

const Address = () => {
  const {
    restores: { move: words },
  } = useWords()
  const address = useGet(['/server/address'], (signal) => answer(api.GET('/server/address', { signal })))
  return (
    <Loaded query={address}>
      {({ url, ways }) => {
        const opened = ways[0]?.url ?? url
        return <p>{isOfMachine(opened) ? words.addressNumber(opened) : words.addressName(opened)}</p>
      }}
    </Loaded>
  )
}

const HttpsThere = () => {
  const {
    restores: { move: words },
  } = useWords()
  const told = {
    off: words.httpsOff,
    local: words.httpsLocal,
    public: words.httpsPublic,
    vendor: words.httpsVendor,
  }
  return (
    <Loaded query={useHttps()}>
      {({ isFixed, way }) => <p className="soft">{isFixed ? words.httpsFixed : told[way]}</p>}
    </Loaded>
  )
}

const Licence = () => {
  const {
    restores: { move: words },
  } = useWords()
  const license = useGet(['/license'], readLicense)
  return <Loaded query={license}>{({ state }) => state !== 'unlicensed' && <p>{words.licence}</p>}</Loaded>
}
