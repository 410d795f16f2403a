import type { Decimal } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { formatAmount } from './format.ts'
import styles from './ui.module.css'

/** Shows the currency's code, because several currencies share a symbol. Digits run left to right in every language. */
export const Money = ({ amount, currency }: { amount: Decimal; currency: string }): ReactElement => (
  <bdi dir="ltr" className={styles.number}>
    {formatAmount(amount, currency)}
    <span className={styles.code}>{currency}</span>
  </bdi>
)
