import { Choice, type ChoiceProps } from '../../parts/choose.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { usePlans } from './reads.ts'

interface PlanChoiceProps extends Omit<ChoiceProps<string>, 'options'> {
  /** What stands for no plan; undefined: one has to be chosen. */
  none?: string
}

/** One of the plans that are given; of the closed ones the one that is chosen already. '' stands for none. */
export const PlanChoice = ({ none, ...field }: PlanChoiceProps) => {
  const { plans: words } = useWords()
  const format = useFormat()
  const plans = usePlans()
  const options = (plans.data ?? [])
    .filter(({ archivedAt, id }) => archivedAt === null || id === field.value)
    .map(({ id, name, price, interval }) => ({ id, label: name, about: words.prices[interval](format.money(price)) }))
  return <Choice {...field} options={none === undefined ? options : [{ id: '', label: none }, ...options]} />
}
