import type { PaymentRecord } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { payment } from '../../messages/texts.ts'
import { formatAmount, formatClock, formatMomentInFull } from '../../ui/format.ts'
import { describePayment } from './describe-payment.ts'
import { attemptsOf } from './entries.ts'
import styles from './payment.module.css'
import type { Timeline } from './use-payment.ts'

/** The answer first: what happened, and whether money moved. */
export function Head({
  record,
  timeline,
}: {
  record: PaymentRecord
  timeline: Timeline | undefined
}): ReactElement {
  const { tone, title, detail } = describePayment(record, attemptsOf(timeline?.data ?? []))
  const nextAt = timeline?.meta.next_poll_at
  return (
    <section className={`${styles.head} ${styles[tone]}`} aria-live="polite">
      <div className={styles.answer}>
        <p className={styles.title}>{title}</p>
        {detail !== '' && <p>{detail}</p>}
        {nextAt !== null && nextAt !== undefined && (
          <p className={styles.asking}>
            {payment.head.asking} {payment.head.nextAt}{' '}
            <time dateTime={nextAt} title={formatMomentInFull(nextAt)}>
              {formatClock(nextAt)}
            </time>
            .
          </p>
        )}
      </div>
      <p className={styles.amount}>
        <bdi dir="ltr">
          {formatAmount(record.amount, record.currency)} <span>{record.currency}</span>
        </bdi>
      </p>
    </section>
  )
}
