import type { ReactElement, ReactNode } from 'react'
import styles from './ui.module.css'

interface Fact {
  label: string
  /** Facts without a value are left out. */
  value: ReactNode
}

/** A list of names and values. */
export const Facts = ({ facts }: { facts: readonly Fact[] }): ReactElement => (
  <dl className={styles.facts}>
    {facts.map(
      ({ label, value }) =>
        value !== null &&
        value !== undefined &&
        value !== false &&
        value !== '' && (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)
