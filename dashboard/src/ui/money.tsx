import type { ReactElement } from 'react'
import type { Decimal } from '../api/parse-json.ts'
import { formatAmount, formatMoment, formatMomentInFull } from './format.ts'
import styles from './ui.module.css'

/** The code and not the symbol: several currencies share one. */
export const Money = ({ amount, currency }: { amount: Decimal; currency: string }): ReactElement => (
  <span className={styles.number}>
    {formatAmount(amount, currency)}
    <span className={styles.code}>{currency}</span>
  </span>
)

export const Moment = ({ at }: { at: string }): ReactElement => (
  <time dateTime={at} title={formatMomentInFull(at)} className={styles.number}>
    {formatMoment(at)}
  </time>
)
