import type { Pages, Waiting } from '@switchyard/sdk'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { nameOf } from '../../messages/name-of.ts'
import { home, payments, shell, states, terms } from '../../messages/generated/texts.ts'
import { paths, paymentPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { formatCount } from '../../ui/format.ts'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import styles from './home.module.css'
import { TrendsPanel } from './trends-panel.tsx'

export function Screen(): ReactElement {
  const maySeePayments = useMay('payments:read')
  const maySeeTrends = useMay('analytics:read')
  return (
    <Page title={shell.screens.home}>
      <WaitingPanel />
      <div className={styles.columns}>
        {maySeeTrends && <TrendsPanel />}
        {maySeePayments && <Failures />}
      </div>
    </Page>
  )
}

type RowCount = Pick<Waiting['payouts'], 'count' | 'has_more'>

/** Each count loads and fails independently, and is shown only to people who can act on it. */
function WaitingPanel(): ReactElement {
  const waiting = useQuery({
    queryKey: ['waiting'],
    queryFn: ({ signal }) => api.users.getWaiting({ signal }),
  })
  const notices = useCount('notices', (query, options) =>
    api.notifications.list({ ...query, unread: 'true' }, options),
  )
  const deadLetters = useCount(
    'dead-letters',
    (query, options) => api.deadLetters.list(query, options),
    useMay('webhooks:read'),
  )
  const maySeeExceptions = useMay('exceptions:read')
  const exceptions = useCount(
    'exceptions',
    (query, options) => api.exceptions.list({ ...query, status: 'open' }, options),
    maySeeExceptions,
  )
  const mayApprove = useMay('payouts:approve')
  const maySeeDisputes = useMay('disputes:read')
  const maySeeWebhooks = useMay('webhooks:read')
  const mayDecideMatches = useMay('screening:write')
  const of = (kind: 'payouts' | 'disputes' | 'sanctions_matches'): Result => ({
    data: waiting.data?.[kind],
    isError: waiting.isError,
  })
  return (
    <section aria-label={home.greeting} className={styles.waiting}>
      {mayApprove && (
        <Item label={home.approvals} hint={home.approvalsHint} result={of('payouts')} to={paths.approvals} />
      )}
      {maySeeExceptions && (
        <Item
          label={home.exceptions}
          hint={home.exceptionsHint}
          result={exceptions}
          to={`${paths.exceptions}?status=open`}
        />
      )}
      {maySeeDisputes && (
        <Item
          label={home.disputes}
          hint={home.disputesHint}
          result={of('disputes')}
          to={`${paths.disputes}?state=needs_response`}
        />
      )}
      {mayDecideMatches && (
        <Item
          label={home.matches}
          hint={home.matchesHint}
          result={of('sanctions_matches')}
          to={`${paths.matches}?status=open`}
        />
      )}
      {maySeeWebhooks && <Item label={home.deadLetters} hint={home.deadLettersHint} result={deadLetters} />}
      <Item label={home.notices} hint={home.noticesHint} result={notices} />
    </section>
  )
}

const countLimit = 100

/** Counts the rows of the first page; `has_more` is true if there are further pages. */
const useCount = (
  name: string,
  list: (query: { limit: number }, options: { signal: AbortSignal }) => Pages<unknown>,
  isEnabled = true,
): UseQueryResult<RowCount> =>
  useQuery({
    queryKey: [name, 'count'],
    queryFn: async ({ signal }) => {
      const page = await list({ limit: countLimit }, { signal }).firstPage()
      return { count: page.data.length, has_more: page.cursor !== undefined }
    },
    enabled: isEnabled,
  })

interface Result {
  data: RowCount | undefined
  isError: boolean
}

interface ItemProps {
  label: string
  hint: string
  result: Result
  to?: string
}

function Item({ label, hint, result: { data, isError }, to }: ItemProps): ReactElement {
  const count = data?.count ?? 0
  const shown = isError ? '–' : data ? `${formatCount(count)}${data.has_more ? '+' : ''}` : '\u00a0'
  const className = `${styles.item} ${count === 0 ? styles.isZero : ''}`
  const content = (
    <>
      <span className={styles.count}>{shown}</span>
      <span className={styles.label}>{label}</span>
      <span className={styles.hint}>{isError ? states.failed : hint}</span>
    </>
  )
  return to === undefined || count === 0 ? (
    <div className={className}>{content}</div>
  ) : (
    <Link className={className} to={to}>
      {content}
    </Link>
  )
}

function Failures(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['payments', 'failures'],
    queryFn: ({ signal }) => api.transactions.list({ status: 'failed', limit: 5 }, { signal }).firstPage(),
  })
  const failures = data?.data ?? []
  return (
    <Panel
      title={home.failures}
      aside={failures.length > 0 && <Link to={`${paths.payments}?status=failed`}>{home.allFailures}</Link>}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={5} />}
      {data && failures.length === 0 && <EmptyState title={home.failuresEmpty} />}
      <ul className={styles.failures}>
        {failures.map((payment) => (
          <li key={payment.payment_id}>
            <span className={styles.failureText}>
              <Link to={paymentPath(payment.payment_id)}>
                {payment.client_reference ?? payment.description ?? payment.payment_id}
              </Link>
              <span className={ui.muted}>
                {payment.provider === null ? payments.noProvider : nameOf(terms.provider, payment.provider)} ·{' '}
                <Moment at={payment.created_at} />
              </span>
            </span>
            <Money amount={payment.amount} currency={payment.currency} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
