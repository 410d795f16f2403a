import type { ReactElement } from 'react'
import { formatMoment, formatMomentExactly, formatMomentInFull } from './format.ts'
import styles from './ui.module.css'

/** To the minute, for lists that show the time zone once; with `isExact`, to the second and with the time zone. */
export const Moment = ({ at, isExact = false }: { at: string; isExact?: boolean }): ReactElement => (
  <time dateTime={at} title={formatMomentInFull(at)} className={styles.number}>
    {isExact ? formatMomentExactly(at) : formatMoment(at)}
  </time>
)
