import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaProps } from 'react-aria-components/Button'
import { Link } from 'wouter'
import { Icon, type IconName } from './icon.tsx'

type Look = 'primary' | 'danger' | 'quiet' | 'plain'

interface Shown {
  /** One `primary` a page. Default: plain. */
  look?: Look
  isBig?: boolean
  isWide?: boolean
  icon?: IconName
  children: ReactNode
}

const classOf = ({ look = 'plain', isBig, isWide }: Shown): string =>
  ['button', look !== 'plain' && look, isBig && 'big', isWide && 'wide'].filter(Boolean).join(' ')

interface ButtonProps
  extends Shown, Pick<AriaProps, 'onPress' | 'isDisabled' | 'type' | 'value' | 'autoFocus' | 'form'> {
  /** Something is on its way: the button stays where it is and takes no second press. */
  isBusy?: boolean
  'aria-label'?: string
}

export const Button = (props: ButtonProps) => {
  const { isBusy = false, icon, children, ...rest } = props
  return (
    <AriaButton
      // Not isPending: it announces the button, which is gone where its work leads to another page.
      type={isBusy ? 'button' : (rest.type ?? 'button')}
      className={classOf(props)}
      isDisabled={rest.isDisabled ?? false}
      aria-label={rest['aria-label']}
      {...(isBusy ? { 'aria-disabled': true } : rest.onPress && { onPress: rest.onPress })}
      {...(rest.autoFocus && { autoFocus: true })}
      {...(rest.form && { form: rest.form })}
      {...(rest.value !== undefined && { value: rest.value })}
    >
      {isBusy ? <span className="spinner" /> : icon && <Icon name={icon} />}
      {children}
    </AriaButton>
  )
}

/** Goes to another address of the console. */
export const ButtonLink = (props: Shown & { to: string }) => (
  <Link href={props.to} className={classOf(props)}>
    {props.icon && <Icon name={props.icon} />}
    {props.children}
  </Link>
)

interface IconButtonProps extends Pick<AriaProps, 'onPress' | 'isDisabled'> {
  icon: IconName
  label: string
}

export const IconButton = ({ icon, label, ...rest }: IconButtonProps) => (
  <AriaButton className="icon-button" aria-label={label} {...rest}>
    <Icon name={icon} />
  </AriaButton>
)
