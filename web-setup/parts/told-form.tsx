import { useEffect, useRef, type ComponentProps } from 'react'
import { Form } from '../../src/console/parts/form.tsx'
import { announce } from './announce.ts'

/**
 * A form whose faults are said: a screen reader says at most the one of the field that gets the focus, and nothing where
 * that has it already. What got no answer can be sent again.
 */
export const ToldForm = (props: ComponentProps<typeof Form>) => {
  const place = useRef<HTMLDivElement>(null)
  const { failures } = props.form
  useEffect(() => {
    if (failures === 0) return
    const shown = Array.from(place.current?.querySelectorAll('.error') ?? [], ({ textContent }) => textContent)
    announce(shown.join(' '))
  }, [failures])
  return (
    <div ref={place}>
      <Form {...props} hasRetry />
    </div>
  )
}
