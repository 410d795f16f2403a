import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { approval as text } from '../../messages/generated/texts.ts'
import { Callout } from '../../ui/callout.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import work from '../../ui/work.module.css'

interface RecipientProps {
  paymentId: string
  /** Empty if the account does not belong to a saved beneficiary. */
  beneficiaryId: string
}

/** Who receives the money, and whether they have been paid before. */
export function RecipientPanel({ paymentId, beneficiaryId }: RecipientProps): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', 'recipient', paymentId, beneficiaryId],
    queryFn: async ({ signal }) => {
      const own = await api.transactions.list({ q: paymentId, limit: 1 }, { signal }).firstPage()
      const paid =
        beneficiaryId === ''
          ? undefined
          : await api.transactions
              .list({ beneficiary_id: beneficiaryId, status: 'completed', limit: 1 }, { signal })
              .firstPage()
      return { own: own.data[0], last: paid?.data[0] }
    },
  })
  return (
    <Panel title={text.recipient}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={3} />}
      {data && (
        <>
          <Facts
            facts={[
              { label: text.name, value: data.own?.beneficiary_name },
              { label: text.account, value: data.own?.beneficiary_account },
              { label: text.country, value: data.own?.country },
              {
                label: text.paidBefore,
                value: data.last && (
                  <>
                    {text.lastPaid} <Moment at={data.last.created_at} />:{' '}
                    <Money amount={data.last.amount} currency={data.last.currency} />
                  </>
                ),
              },
            ]}
          />
          {!data.last && (
            <div className={work.decision}>
              {beneficiaryId === '' ? (
                <Callout tone="wait" title={text.unknownRecipient}>
                  {text.unknownRecipientText}
                </Callout>
              ) : (
                <Callout tone="wait" title={text.never}>
                  {text.neverText}
                </Callout>
              )}
            </div>
          )}
        </>
      )}
    </Panel>
  )
}
