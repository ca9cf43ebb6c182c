import { useEffect, useEffectEvent, useState } from 'react'
import { PasswordField } from '../../src/console/parts/field.tsx'
import type { Refusal } from '../../src/console/parts/form.tsx'
import type { Strength, Weakness, WeaknessOf } from '../rules/password.ts'
import { password as english } from '../words/en/password.ts'
import { announce } from './announce.ts'
import { useOwnWords } from './own-words.ts'

/** The advice changes with each letter: it is said when the typing pauses. */
const PAUSE_MILLIS = 1000

const isWeak = (strength: Strength): strength is Weakness => !['empty', 'short', 'fair', 'good'].includes(strength)

/** A bundle of its own, which is read while the form is filled in. */
const WEAK_PASSWORDS = '/setup/assets/lib/weak-passwords.js'

/** The server's own rule. Until it is there only the length is looked at, and the server refuses the rest. */
export const useWeakness = (): WeaknessOf => {
  const [rule, setRule] = useState<{ weaknessOf: WeaknessOf }>({ weaknessOf: () => null })
  useEffect(() => {
    // A server that does not answer says so when the form is sent.
    import(WEAK_PASSWORDS).then(setRule, () => {})
  }, [])
  return rule.weaknessOf
}

/** What is wrong with a new password, and what the server says of it, in the reader's words. */
export const usePasswordFaults = () => {
  const words = useOwnWords('password')
  return {
    faultOf: (strength: Strength): string | undefined => {
      if (strength === 'short') return words.wrong
      return isWeak(strength) ? words[strength] : undefined
    },
    /** Only the server knows whose link it is, and what the password must not be made of. */
    refused: ({ message }: Refusal): string | undefined => {
      const weakness = (['common', 'repetitive', 'related'] as const).find((one) => english[one] === message)
      return weakness && words[weakness]
    },
  }
}

interface NewPasswordProps {
  label: string
  id: string
  strength: Strength
  value: string
  onChange: (value: string) => void
  error?: string
  isOptional?: boolean
}

/** A password that somebody chooses, with advice while they do. */
export const NewPasswordField = ({ strength, ...field }: NewPasswordProps) => {
  const words = useOwnWords('password')
  const { value, error } = field
  const advice =
    strength === 'empty' ? words.advice : strength === 'short' ? words.short(value.length) : words[strength]
  const saidAt = useEffectEvent((wasWrong: boolean) => {
    // What was refused meanwhile has been said, and matters more.
    if (error === undefined || wasWrong) announce(error ?? advice)
  })
  const isWrong = useEffectEvent(() => error !== undefined)
  useEffect(() => {
    if (value === '') return undefined
    const wasWrong = isWrong()
    const pause = setTimeout(() => saidAt(wasWrong), PAUSE_MILLIS)
    return () => clearTimeout(pause)
  }, [value])
  return (
    <PasswordField
      {...field}
      isNew
      hint={strength === 'empty' ? advice : <span className={`strength ${strength}`}>{advice}</span>}
    />
  )
}
