import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { usePush } from '../../shell/push.ts'
import { usePushSwitch } from '../../shell/push-switch.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { deviceOf } from '../../records/member/device.ts'
import { useDevices } from './reads.ts'

type Device = Schemas['OwnPushDevice']

/** Whether messages come to the device in which the page is read, and why not. */
const ThisDevice = () => {
  const { account } = useWords()
  const push = usePush()
  const { turnOn, turnOff, isBusy, fault } = usePushSwitch()
  return (
    <li>
      <div className="row">
        <span className="grow">
          <span className="name">{account.here}</span>
          <span className="about long">{account.deviceStates[push]}</span>
        </span>
        {push === 'on' && (
          <Button isBusy={isBusy} onPress={turnOff}>
            {account.deviceOff}
          </Button>
        )}
        {push === 'off' && (
          <Button isBusy={isBusy} onPress={turnOn}>
            {account.deviceOn}
          </Button>
        )}
      </div>
      {fault !== undefined && (
        <Notice meaning="warn" isAlert>
          {fault}
        </Notice>
      )}
    </li>
  )
}

/** Where the person's messages come at once: on this device, if they want it, and on others. Whoever works in their name turns none on. */
export const Devices = () => {
  const words = useWords()
  const { account } = words
  const { isImpersonated } = useMe()
  const format = useFormat()
  const { data } = useDevices()
  const [asked, setAsked] = useState<Device>()
  const forget = useChange('devices', (id: string) =>
    answer(api.DELETE('/me/devices/{id}', { params: { path: { id } } })),
  )
  const nameOf = ({ userAgent }: Device) => deviceOf(words, { client: 'web', userAgent })
  const others = data?.data.filter(({ current }) => !current) ?? []
  const name = asked ? nameOf(asked) : ''
  if (isImpersonated && others.length === 0) return null
  return (
    <Section title={account.devices}>
      <ul className="card" aria-label={account.devices}>
        {!isImpersonated && <ThisDevice />}
        {others.map((device) => (
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
