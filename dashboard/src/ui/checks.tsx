import type { ReactElement, ReactNode } from 'react'
import styles from './parts.module.css'
import ui from './ui.module.css'

interface CheckProps {
  label: ReactNode
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

export const Check = ({ label, isChecked, onChange }: CheckProps): ReactElement => (
  <label className={styles.check}>
    <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
    {label}
  </label>
)

interface ChecksProps {
  legend: string
  hint?: string
  options: readonly string[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** Any number of values from a list. */
export const Checks = ({ legend, hint, options, chosen, onChange }: ChecksProps): ReactElement => (
  <fieldset className={styles.checkField}>
    <legend>{legend}</legend>
    <div className={styles.checks}>
      {options.map((option) => (
        <Check
          key={option}
          label={option}
          isChecked={chosen.has(option)}
          onChange={(isChecked) =>
            onChange(new Set(isChecked ? [...chosen, option] : [...chosen].filter((one) => one !== option)))
          }
        />
      ))}
    </div>
    {hint !== undefined && <span className={ui.hint}>{hint}</span>}
  </fieldset>
)
