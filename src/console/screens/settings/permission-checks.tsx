import { Check } from '../../parts/choose.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useWords } from '../../words/language.tsx'
import { usePermissions, type Role } from './reads.ts'

type Permission = Role['permissions'][number]

interface PermissionChecksProps {
  label: string
  hint?: string
  value: readonly Permission[]
  onChange: (permissions: Permission[]) => void
  error?: string | undefined
}

/** Whether another one brings it: who may change something may see it. */
const isBrought = (one: Permission, value: readonly Permission[]): boolean =>
  one.endsWith('.read') && value.some((other) => other !== one && other.split('.')[0] === one.split('.')[0])

/** What somebody, or a program, may do: permissions in words, by what they concern. */
export const PermissionChecks = ({ label, hint, value, onChange, error }: PermissionChecksProps) => {
  const { members, roles } = useWords()
  const permissions = usePermissions()
  const set = (one: Permission, isOn: boolean) =>
    onChange(isOn ? [...value, one] : value.filter((other) => other !== one))
  return (
    <fieldset className="branches" {...(error !== undefined && { 'data-invalid': true })}>
      <legend className="label">{label}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <Loaded query={permissions}>
        {(all) => (
          <div className="check-groups">
            {[...new Set(all.map(({ group }) => group))].map((group) => (
              <div key={group} role="group" aria-label={roles.groups[group] ?? group}>
                <p className="label">{roles.groups[group] ?? group}</p>
                {all
                  .filter((one) => one.group === group)
                  .map(({ key }) => (
                    <Check
                      key={key}
                      isChecked={value.includes(key) || isBrought(key, value)}
                      isDisabled={isBrought(key, value)}
                      onChange={(isOn) => set(key, isOn)}
                    >
                      {members.permissions[key]}
                    </Check>
                  ))}
              </div>
            ))}
          </div>
        )}
      </Loaded>
      {error !== undefined && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
