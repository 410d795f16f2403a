import styles from './list.module.css'
import type { ListAddress } from './list-address.ts'

export interface FilterProps {
  address: ListAddress
  name: string
  label: string
}

export interface ManyFilterProps extends FilterProps {
  options: Readonly<Record<string, string>>
}

export const controlClass = (value: string, width = ''): string =>
  `${styles.control} ${width} ${value === '' ? '' : styles.isSet}`
