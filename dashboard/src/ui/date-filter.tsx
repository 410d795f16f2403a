import type { ReactElement } from 'react'
import type { ListAddress } from './list-address.ts'
import styles from './list.module.css'

interface DateFilterProps {
  address: ListAddress
  name: string
  label: string
}

/** A day, as YYYY-MM-DD in the address. */
export function DateFilter({ address, name, label }: DateFilterProps): ReactElement {
  const value = address.filters[name] ?? ''
  return (
    <label className={styles.filter}>
      {label}
      <input
        type="date"
        className={`${styles.control} ${value === '' ? '' : styles.isSet}`}
        value={value}
        onChange={({ target }) => address.change(name, target.value)}
      />
    </label>
  )
}
