import type { PaymentRecord } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { payment } from '../../messages/generated/texts.ts'
import { matchPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { formatAmount, formatClock, formatMomentInFull } from '../../ui/format.ts'
import { describePayment } from './describe-payment.ts'
import { attemptsOf } from './entries.ts'
import styles from './payment.module.css'
import type { Timeline } from './use-payment.ts'

/** The headline: what happened, and whether money moved. */
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
        {record.on_hold && <OpenMatch record={record} />}
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

/** Shown only for a match that the person may see. They may not learn about any other reason for a hold. */
function OpenMatch({ record }: { record: PaymentRecord }): ReactElement | false {
  const subject =
    record.beneficiary_id === ''
      ? { payment_id: record.payment_id }
      : { beneficiary_id: record.beneficiary_id }
  const { data } = useQuery({
    queryKey: ['matches', 'of', record.payment_id],
    queryFn: ({ signal }) =>
      api.screening.listMatches({ ...subject, status: 'open', limit: 1 }, { signal }).firstPage(),
    enabled: useMay('screening:read'),
  })
  const [match] = data?.data ?? []
  return (
    match !== undefined && (
      <p>
        <Link to={matchPath(match.match_id)}>{payment.head.openMatch}</Link>
      </p>
    )
  )
}
