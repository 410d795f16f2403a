import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { useCount, useRecentFailures, type Count } from '../../api/queries.ts'
import { en } from '../../messages/en.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { formatCount } from '../../ui/format.ts'
import { Moment, Money } from '../../ui/money.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import styles from './home.module.css'
import { TrendsPanel } from './trends-panel.tsx'

export function Screen(): ReactElement {
  const maySeePayments = useMay('payments:read')
  const maySeeTrends = useMay('analytics:read')
  return (
    <Page title={en.screens.home}>
      <Waiting />
      <div className={styles.columns}>
        {maySeeTrends && <TrendsPanel />}
        {maySeePayments && <Failures />}
      </div>
    </Page>
  )
}

/** Each count fails by itself, and is shown only to whoever can act on it. */
function Waiting(): ReactElement {
  const mayApprove = useMay('payouts:approve')
  const maySeeExceptions = useMay('exceptions:read')
  const maySeeWebhooks = useMay('webhooks:read')
  const awaiting = (status: string) => ({ query: { status, direction: 'outbound' }, isEnabled: mayApprove })
  const initiated = useCount('approvals', '/v1/transactions', awaiting('initiated'))
  const reviewed = useCount('approvals', '/v1/transactions', awaiting('reviewed'))
  const exceptions = useCount('exceptions', '/v1/payments/exceptions', {
    query: { status: 'open' },
    isEnabled: maySeeExceptions,
  })
  const notices = useCount('notices', '/v1/users/notifications', {
    query: { unread: 'true' },
    isEnabled: true,
  })
  const deadLetters = useCount('dead-letters', '/v1/public/webhooks/dead-letters', {
    isEnabled: maySeeWebhooks,
  })
  return (
    <section aria-label={en.home.greeting} className={styles.waiting}>
      {mayApprove && (
        <Item
          label={en.home.approvals}
          hint={en.home.approvalsHint}
          results={[initiated, reviewed]}
          to={`${paths.payments}?status=initiated&direction=outbound`}
        />
      )}
      {maySeeExceptions && (
        <Item label={en.home.exceptions} hint={en.home.exceptionsHint} results={[exceptions]} />
      )}
      {maySeeWebhooks && (
        <Item label={en.home.deadLetters} hint={en.home.deadLettersHint} results={[deadLetters]} />
      )}
      <Item label={en.home.notices} hint={en.home.noticesHint} results={[notices]} />
    </section>
  )
}

interface ItemProps {
  label: string
  hint: string
  /** Counted together. */
  results: readonly UseQueryResult<Count>[]
  to?: string
}

function Item({ label, hint, results, to }: ItemProps): ReactElement {
  const counts = results.map(({ data }) => data)
  const error = results.find(({ isError }) => isError)
  const isKnown = counts.every((count) => count !== undefined)
  const total = counts.reduce((sum, count) => sum + (count?.shown ?? 0), 0)
  const hasMore = counts.some((count) => count?.hasMore)
  const shown = error ? '–' : isKnown ? `${formatCount(total)}${hasMore ? '+' : ''}` : '\u00a0'
  const className = `${styles.item} ${total === 0 ? styles.isZero : ''}`
  const content = (
    <>
      <span className={styles.count}>{shown}</span>
      <span className={styles.label}>{label}</span>
      <span className={styles.hint}>{error ? en.states.failed : hint}</span>
    </>
  )
  return to === undefined || total === 0 ? (
    <div className={className}>{content}</div>
  ) : (
    <Link className={className} to={to}>
      {content}
    </Link>
  )
}

function Failures(): ReactElement {
  const { data, error, refetch } = useRecentFailures(true)
  const failures = data?.data ?? []
  return (
    <Panel
      title={en.home.failures}
      aside={failures.length > 0 && <Link to={`${paths.payments}?status=failed`}>{en.home.allFailures}</Link>}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={5} />}
      {data && failures.length === 0 && <EmptyState title={en.home.failuresEmpty} />}
      <ul className={styles.failures}>
        {failures.map((payment) => (
          <li key={payment.payment_id}>
            <span className={styles.failureText}>
              <span>{payment.client_reference ?? payment.description ?? payment.payment_id}</span>
              <span className={ui.muted}>
                {payment.provider ?? en.payments.noProvider} · <Moment at={payment.created_at} />
              </span>
            </span>
            <Money amount={payment.amount} currency={payment.currency} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
