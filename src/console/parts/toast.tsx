import { Button as AriaButton } from 'react-aria-components/Button'
import { Text } from 'react-aria-components/Text'
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastList as ToastList,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast'
import { useWords } from '../words/language.tsx'
import { Icon } from './icon.tsx'

interface Toast {
  text: string
  /** Takes back what the message tells of. */
  undo?: () => void
}

const SHOWN_MILLIS = 7000

const queue = new ToastQueue<Toast>({ maxVisibleToasts: 2 })

/** The last one, where it only tells: two of them would cover what one does next. */
let told: string | undefined

/** Says that something is done, with a way to take it back for seven seconds. F6 brings the keyboard there. */
export const toast = (text: string, undo?: () => void): void => {
  if (told !== undefined) queue.close(told)
  const key = queue.add({ text, ...(undo && { undo }) }, { timeout: SHOWN_MILLIS })
  told = undo ? undefined : key
}

export const Toasts = () => {
  const { shell } = useWords()
  return (
    <ToastRegion queue={queue} className="toasts" aria-label={shell.nav.inbox}>
      <ToastList<Toast>>
        {({ toast: shown }) => (
          <AriaToast toast={shown} className="toast">
            <ToastContent className="grow">
              <Text slot="title">{shown.content.text}</Text>
            </ToastContent>
            {shown.content.undo && (
              <AriaButton
                className="button quiet"
                onPress={() => {
                  shown.content.undo?.()
                  queue.close(shown.key)
                }}
              >
                {shell.undo}
              </AriaButton>
            )}
            <AriaButton slot="close" className="icon-button" aria-label={shell.close}>
              <Icon name="cross" />
            </AriaButton>
          </AriaToast>
        )}
      </ToastList>
    </ToastRegion>
  )
}
