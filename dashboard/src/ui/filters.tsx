import { useState, type ReactElement, type ReactNode } from 'react'
import { states } from '../messages/en/states.ts'
import { Button } from './button.tsx'
import styles from './list.module.css'
import type { ListAddress } from './list-address.ts'

interface FilterProps {
  address: ListAddress
  name: string
  label: string
}

export const Filters = ({
  address,
  children,
}: {
  address: ListAddress
  children: ReactNode
}): ReactElement => (
  <search className={styles.filters} aria-label={states.filters}>
    {children}
    {address.isFiltered && <Button onClick={address.clear}>{states.clear}</Button>}
  </search>
)

const controlClass = (value: string, width = ''): string =>
  `${styles.control} ${width} ${value === '' ? '' : styles.isSet}`

/** The options are words by their values. */
export function ChoiceFilter({
  address,
  name,
  label,
  options,
  anyLabel = states.any,
}: FilterProps & { options: Readonly<Record<string, string>>; anyLabel?: string }): ReactElement {
  const value = address.filters[name] ?? ''
  return (
    <label className={styles.filter}>
      {label}
      <select
        className={controlClass(value)}
        value={value}
        onChange={({ target }) => address.change(name, target.value)}
      >
        <option value="">{anyLabel}</option>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Applied on Enter or when the field is left, so that the address does not change with every letter. */
export function TextFilter({
  address,
  name,
  label,
  isCode = false,
}: FilterProps & { isCode?: boolean }): ReactElement {
  const applied = address.filters[name] ?? ''
  const [typed, setTyped] = useState<string>()
  const apply = (): void => {
    if (typed !== undefined && typed.trim() !== applied)
      address.change(name, isCode ? typed.trim().toUpperCase() : typed.trim())
    setTyped(undefined)
  }
  return (
    <label className={styles.filter}>
      {label}
      <input
        className={controlClass(applied, isCode ? styles.short : styles.wide)}
        value={typed ?? applied}
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={apply}
        onKeyDown={({ key }) => {
          if (key === 'Enter') apply()
        }}
      />
    </label>
  )
}
