import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { deviceOf } from './device.ts'

type Device = Schemas['OwnPushDevice']

const MOST = 100

/** The browsers that get the person's messages at once; nothing where there are none. */
export const Devices = () => {
  const words = useWords()
  const { account } = words
  const format = useFormat()
  const { data } = useGet(['/me/devices'], (signal) =>
    answer(api.GET('/me/devices', { params: { query: { limit: MOST } }, signal })),
  )
  const [asked, setAsked] = useState<Device>()
  const forget = useChange('devices', (id: string) =>
    answer(api.DELETE('/me/devices/{id}', { params: { path: { id } } })),
  )
  const nameOf = ({ userAgent }: Device) => deviceOf(words, { client: 'web', userAgent })
  if (!data || data.data.length === 0) return null
  const name = asked ? nameOf(asked) : ''
  return (
    <Section title={account.devices}>
      <p className="soft">{account.devicesAbout}</p>
      <ul className="card" aria-label={account.devices}>
        {data.data.map((device) => (
          <li key={device.id}>
            <div className="row">
              <span className="grow">
                <span className="name">{nameOf(device)}</span>
                <span className="about">{account.deviceSince(format.date(format.dateOf(device.createdAt)))}</span>
              </span>
              <Button aria-label={account.deviceEndOf(nameOf(device))} onPress={() => setAsked(device)}>
                {account.deviceEnd}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Confirm
        title={account.deviceEndTitle(name)}
        verb={account.deviceEnd}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          if (!asked) return
          await forget.mutateAsync(asked.id)
          toast(account.deviceEnded(name))
        }}
      >
        <p>{account.deviceEndText}</p>
      </Confirm>
    </Section>
  )
}
