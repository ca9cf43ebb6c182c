import { Check } from '../../parts/choose.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'

/** For which branches a role holds: for all of them, or for some. */
export const BranchChecks = ({
  value,
  onChange,
}: {
  /** None: all of them. */
  value: readonly string[]
  onChange: (branchIds: string[]) => void
}) => {
  const { members, shell } = useWords()
  const { branches } = useMe()
  return (
    <fieldset className="branches">
      <legend className="small">{members.where}</legend>
      <Check isChecked={value.length === 0} onChange={() => onChange([])}>
        {shell.allBranches}
      </Check>
      {branches.map(({ id, name }) => (
        <Check
          key={id}
          isChecked={value.includes(id)}
          onChange={(isOn) => onChange(isOn ? [...value, id] : value.filter((other) => other !== id))}
        >
          <bdi>{name}</bdi>
        </Check>
      ))}
    </fieldset>
  )
}
