import type { PaymentAwaitingReview } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { approval as text, approvals, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paths, paymentPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Money } from '../../ui/money.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import work from '../../ui/work.module.css'
import { DecisionPanel } from './decision.tsx'
import { RecipientPanel } from './recipient.tsx'
import { TrailPanel } from './trail.tsx'

/** Undefined once decided. No endpoint returns a single waiting payment, and the queue is short. */
async function findAwaiting(
  paymentId: string,
  signal: AbortSignal,
): Promise<PaymentAwaitingReview | undefined> {
  for await (const row of api.payments.listAwaitingReview({ limit: 100 }, { signal }))
    if (row.payment_id === paymentId) return row
  return undefined
}

export function Screen(): ReactElement {
  const { paymentId = '' } = useParams()
  const [isOvertaken, setOvertaken] = useState(false)
  const mayApprove = useMay('payouts:approve')
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', 'payment', paymentId],
    queryFn: async ({ signal }) => {
      const [waiting, record] = await Promise.all([
        findAwaiting(paymentId, signal),
        api.payments.get(paymentId, { signal }),
      ])
      return { waiting, record }
    },
  })
  const waiting = data?.waiting
  return (
    <Page
      title={text.title}
      aside={
        <Link className={buttonClass(false)} to={paths.approvals}>
          {approvals.all}
        </Link>
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {isOvertaken && (
        <Callout tone="wait" title={text.faster} isAlert>
          {text.fasterText}
        </Callout>
      )}
      {data && (
        <div className={work.split}>
          <div className={work.stack}>
            <Panel>
              <p className={work.lead}>
                <Money amount={data.record.amount} currency={data.record.currency} />
                <Status status={data.record.status} />
              </p>
              <Facts facts={factsOf(data)} />
            </Panel>
            <RecipientPanel paymentId={paymentId} beneficiaryId={data.record.beneficiary_id} />
          </div>
          <div className={work.stack}>
            {!waiting && <Callout title={text.decided} />}
            {waiting && mayApprove && (
              <DecisionPanel waiting={waiting} onOvertaken={() => setOvertaken(true)} />
            )}
            <TrailPanel paymentId={paymentId} initiator={waiting?.initiated_by} />
          </div>
        </div>
      )}
    </Page>
  )
}

const factsOf = ({
  waiting,
  record,
}: {
  waiting: PaymentAwaitingReview | undefined
  record: Awaited<ReturnType<typeof api.payments.get>>
}): Parameters<typeof Facts>[0]['facts'] => [
  { label: text.policy, value: waiting?.policy_reason },
  {
    label: text.recipientGets,
    value: record.target_amount !== null &&
      record.target_currency !== null &&
      record.target_currency !== record.currency && (
        <Money amount={record.target_amount} currency={record.target_currency} />
      ),
  },
  { label: text.description, value: record.description },
  { label: text.reference, value: record.client_reference },
  { label: text.method, value: nameOf(terms.method, record.payment_method) },
  {
    label: text.payment,
    value: <Link to={paymentPath(record.payment_id)}>{text.open}</Link>,
  },
]
